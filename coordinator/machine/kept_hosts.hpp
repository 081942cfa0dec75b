// Tells of hosts that are kept for an owner of machines of whom there is nothing any more (docs/decisions/0047): no
// machine gets them, and who looks at the hosts that are available sees nothing wrong with them.
#pragma once

#include "coordinator/machine/patience.hpp"
#include "coordinator/machine/reuse_owners.hpp"
#include "kube/runtime/controller.hpp"
#include "kube/runtime/event_recorder.hpp"

namespace ingot::coordinator::machine {

// What comes with a host, from a backup or by `clusterctl move`, may come after it.
inline constexpr base::Duration kOwnerWait = std::chrono::minutes(10);
// An API server keeps an Event for an hour.
inline constexpr base::Duration kTellAgain = std::chrono::minutes(30);

// What to do for a host that is kept for `owner`.
[[nodiscard]] std::string freeingHost(const api::BareMetalHost& host, const std::string& owner);

class KeptHosts final : public kube::Reconciler {
 public:
  KeptHosts(base::Runtime runtime, const kube::Cache<api::BareMetalHost>& hosts, const ReuseOwners& owners,
            kube::EventRecorder& events)
      : runtime_(std::move(runtime)), hosts_(hosts), owners_(owners), events_(events) {}

  [[nodiscard]] base::Task<kube::Next> reconcile(kube::ObjectKey host) override;

 private:
  // For whom nobody comes; "": it is kept for nobody, or that one is there, or a machine has it.
  [[nodiscard]] std::string keptInVain(const api::BareMetalHost& host) const;

  base::Runtime runtime_;
  const kube::Cache<api::BareMetalHost>& hosts_;
  const ReuseOwners& owners_;
  kube::EventRecorder& events_;
  struct Told {
    std::string uid, owner;
    base::MonoTime next{};  // when it is told
  };
  std::map<kube::ObjectKey, Told> told_;
};

}  // namespace ingot::coordinator::machine
