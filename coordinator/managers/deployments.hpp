// The Deployments of Metal3's managers, watched in all namespaces.
#pragma once

#include "coordinator/managers/managers.hpp"
#include "json/describe.hpp"
#include "kube/runtime/cache.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::managers {

// As much of one as says whether it works.
struct Deployment {
  struct Status {
    std::int64_t readyReplicas = 0;
    static void describe(auto& v) { v.field("readyReplicas", &Status::readyReplicas); }
    friend bool operator==(const Status&, const Status&) = default;
  };
  kube::ObjectMeta metadata;
  Status status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Deployment::metadata);
    v.field("status", &Deployment::status);
  }
  friend bool operator==(const Deployment&, const Deployment&) = default;
};

// The pod of this process, "" outside of one.
struct OwnPod {
  std::string namespace_, name;
};

// What is said against acting beside it; nullopt when it has no ready replica, or is the one that runs this pod: Ingot
// may be what a Deployment of Metal3 has as its image.
[[nodiscard]] std::optional<std::string> objection(const Deployment& deployment, const OwnPod& own);

class Deployments {
 public:
  // `api` outlives it.
  Deployments(const base::Runtime& runtime, kube::Api& api, const std::vector<Manager>& managers, OwnPod own);

  // Starts watching; this outlives `tasks`' close().
  void start(base::TaskGroup& tasks);
  [[nodiscard]] base::Task<void> synced();
  // "": none of them has a ready replica.
  [[nodiscard]] std::string objections() const;
  // As long as the subscriptions live.
  [[nodiscard]] std::vector<kube::Subscription> onChange(const std::function<void()>& told);

 private:
  OwnPod own_;
  std::vector<std::unique_ptr<kube::Cache<Deployment>>> caches_;  // one a name: a field selector knows no "or"
};

}  // namespace ingot::coordinator::managers
