// The coordinator's own key pair, whose public half agents are given: who holds it is obeyed by all of them.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "base/runtime.hpp"
#include "base/vital.hpp"
#include "kube/client/client.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/event_recorder.hpp"
#include "wire/link.hpp"

#include <string>

namespace ingot::coordinator::agents {

// `dataDir` not empty: files coordinator.pub and coordinator.key (0600) in it. Else the Secret ingot-coordinator-keys
// in `namespace_`, made at the first call; an API that refuses is asked again and again. Throws base::Error for files,
// or a Secret, that hold something else.
[[nodiscard]] base::Task<wire::KeyPair> coordinatorKeys(base::Runtime runtime, kube::Client& client,
                                                        std::string dataDir, std::string namespace_);

// Keeps that Secret while we lead. `clusterctl move` takes it along (docs/decisions/0034): it creates it where it goes
// to, or writes over one that is there, and deletes it where it was. So
//  - one that is gone is made again with the keys that agents know;
//  - keys of somebody else take the place of ours only where no agent knows ours.
class KeyKeeper {
 public:
  struct World {
    kube::Client& client;
    kube::Cache<api::ProvisioningAgent>& agents;
    kube::EventRecorder& events;
    wire::KeyPair keys;
    std::string namespace_;
  };
  KeyKeeper(base::Runtime runtime, World world);

  // Ends `tasks` with a base::Error when agents of another coordinator are to be served from now on: the next leader
  // begins with their keys.
  void start(base::VitalTasks& tasks);

 private:
  [[nodiscard]] base::Task<void> run();
  enum class Kept : std::uint8_t { ours, others };
  [[nodiscard]] base::Task<Kept> keep();
  [[nodiscard]] base::Task<void> restore(std::shared_ptr<const kube::Secret> stored);
  [[nodiscard]] bool areOurs(const kube::Secret& secret) const;
  [[nodiscard]] bool isAnyAgentOurs() const;

  base::Runtime runtime_;
  World world_;
  kube::ObjectKey key_;
  kube::Cache<kube::Secret> secret_;
  base::Notifier changed_;
  bool isKept_ = false;  // as it was last seen
  kube::Subscription subscription_;
};

}  // namespace ingot::coordinator::agents
