// The coordinator's own key pair, whose public half agents are given: who holds it is obeyed by all of them.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "base/runtime.hpp"
#include "base/vital.hpp"
#include "kube/client/client.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/event_recorder.hpp"
#include "wire/link.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::agents {

// `dataDir` not empty: files coordinator.pub and coordinator.key (0600) in it. Else the Secret ingot-coordinator-keys
// in `namespace_`, made at the first call; an API that refuses is asked again and again. Throws base::Error for files,
// or a Secret, that hold something else.
[[nodiscard]] base::Task<wire::KeyPair> coordinatorKeys(base::Runtime runtime, kube::Client& client,
                                                        std::string dataDir, std::string namespace_);
// The same as far as they are there already.
[[nodiscard]] base::Task<std::optional<wire::KeyPair>> presentKeys(kube::Client& client, std::string dataDir,
                                                                   std::string namespace_);

// Keeps that Secret while we lead, and beside it the one that `clusterctl move` takes along
// (ingot-coordinator-keys-move, docs/decisions/0034): clusterctl writes over it where it goes to, and deletes it where
// it was; nobody's own keys are lost by that. It is there while all hosts are in one namespace: whom a part of them is
// moved to is not given the key of all agents. Keys that it brings take the place of ours where no agent knows ours.
class KeyKeeper {
 public:
  struct World {
    kube::Client& client;
    kube::Cache<api::BareMetalHost>& hosts;
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
  using Snapshot = kube::Cache<kube::Secret>::Snapshot;
  enum class Kept : std::uint8_t { ours, others };
  [[nodiscard]] base::Task<void> run();
  [[nodiscard]] base::Task<Kept> keep();
  [[nodiscard]] base::Task<Kept> keepOwn();
  [[nodiscard]] base::Task<Kept> keepMoving();
  [[nodiscard]] base::Task<void> putOurs(Snapshot stored);
  [[nodiscard]] base::Task<void> take(wire::KeyPair others);
  void tellOfOthers(const kube::Secret& stored);
  [[nodiscard]] bool areOurs(const wire::KeyPair& keys) const { return keys.secretKey == world_.keys.secretKey; }
  [[nodiscard]] bool isAnyAgentOurs() const;
  [[nodiscard]] bool goWithHosts() const;
  void wake();

  base::Runtime runtime_;
  World world_;
  kube::ObjectKey own_, moving_;
  kube::Cache<kube::Secret> ownCache_, movingCache_;
  base::Notifier changed_;
  bool isKept_ = false;  // as all was last seen
  std::vector<kube::Subscription> subscriptions_;
};

}  // namespace ingot::coordinator::agents
