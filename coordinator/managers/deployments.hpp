// The Deployments of Metal3's managers, watched in all namespaces by their names. Who may make a Deployment somewhere
// may give it such a name: it counts when its ServiceAccount may do what a manager does.
#pragma once

#include "coordinator/managers/managers.hpp"
#include "json/describe.hpp"
#include "kube/runtime/cache.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::managers {

// As much of one as says whether it works.
struct Deployment {
  struct PodSpec {
    std::string serviceAccountName;
    static void describe(auto& v) { v.field("serviceAccountName", &PodSpec::serviceAccountName); }
    friend bool operator==(const PodSpec&, const PodSpec&) = default;
  };
  struct Template {
    PodSpec spec;
    static void describe(auto& v) { v.field("spec", &Template::spec); }
    friend bool operator==(const Template&, const Template&) = default;
  };
  struct Spec {
    std::optional<std::int64_t> replicas;  // absent: one
    Template template_;
    static void describe(auto& v) {
      v.field("replicas", &Spec::replicas);
      v.field("template", &Spec::template_);
    }
    friend bool operator==(const Spec&, const Spec&) = default;
  };
  struct Status {
    std::int64_t readyReplicas = 0;
    static void describe(auto& v) { v.field("readyReplicas", &Status::readyReplicas); }
    friend bool operator==(const Status&, const Status&) = default;
  };
  kube::ObjectMeta metadata;
  Spec spec;
  Status status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Deployment::metadata);
    v.field("spec", &Deployment::spec);
    v.field("status", &Deployment::status);
  }
  friend bool operator==(const Deployment&, const Deployment&) = default;
};

// The pod of this process, "" outside of one.
struct OwnPod {
  std::string namespace_, name;
};

// What is said against acting beside it; nullopt when it is scaled to 0 and has no ready replica, or is the one that
// runs this pod: Ingot may be what a Deployment of Metal3 has as its image. One that wants replicas and has none ready
// may have them in a moment, or run on where nobody can see it.
[[nodiscard]] std::optional<std::string> objection(const Deployment& deployment, const OwnPod& own);

// Whether its ServiceAccount may change the manager's objects in each of these namespaces, or, where none is given, in
// all there are: what it may do in some of them is given to it by who has these alone. Throws kube::Error.
[[nodiscard]] base::Task<bool> mayManage(kube::Api& api, Manager manager, Deployment deployment,
                                         std::vector<std::string> namespaces);

struct DeploymentsOptions {
  std::vector<Manager> managers;
  OwnPod own;
  std::vector<std::string> namespaces = {};  // that are looked at; empty: all
};

class Deployments {
 public:
  // `api` outlives it.
  Deployments(const base::Runtime& runtime, kube::Api& api, DeploymentsOptions options);

  // Starts watching; this outlives `tasks`' close().
  void start(base::TaskGroup& tasks);
  [[nodiscard]] base::Task<void> synced();
  // "": none of them works. What a ServiceAccount may do is asked anew each minute. Throws kube::Error.
  [[nodiscard]] base::Task<std::string> objections();
  // The same of those that are known to be managers.
  [[nodiscard]] std::string knownObjections() const;
  // Where a Deployment is that is known to be a manager, at work or not.
  [[nodiscard]] std::set<std::string> namespaces() const;
  // Told when what is said against one has changed. As long as the subscriptions live.
  [[nodiscard]] std::vector<kube::Subscription> onChange(const std::function<void()>& told);

 private:
  struct Verdict {
    std::string account;
    bool isManager = false;
    base::MonoTime asked{};
  };

  base::Clock& clock_;
  kube::Api& api_;
  DeploymentsOptions options_;
  std::vector<std::unique_ptr<kube::Cache<Deployment>>> caches_;  // one a manager: a field selector knows no "or"
  std::map<kube::ObjectKey, Verdict> verdicts_;
};

}  // namespace ingot::coordinator::managers
