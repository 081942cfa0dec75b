// The controller of BareMetalHosts: a key comes in, one pass over the host runs, its edits leave in one save.
#pragma once

#include "coordinator/host/credentials.hpp"
#include "coordinator/host/kube_cluster.hpp"
#include "coordinator/host/lasting_trouble.hpp"
#include "coordinator/host/left_behind_secrets.hpp"
#include "coordinator/host/machine_claims.hpp"
#include "coordinator/host/machine_reservations.hpp"
#include "coordinator/host/power_watchdog.hpp"
#include "coordinator/host/restatement.hpp"
#include "coordinator/host/scope.hpp"
#include "coordinator/host/secret_users.hpp"
#include "coordinator/host/waiting_line.hpp"
#include "kube/runtime/pass.hpp"

#include <map>
#include <set>

namespace ingot::coordinator::host {

constexpr std::size_t kHostsAtOnce = 64;

// What the controller works with; all of it outlives the controller.
struct HostWorld {
  kube::Client& client;
  kube::Cache<api::BareMetalHost>& hosts;
  kube::Cache<kube::Secret>& secrets;  // the labelled ones
  HardwareDataCache& hardware;
  const SecretUsers& secretUsers;
  ProvisionerFactory& backends;
  PowerActor& power;
  kube::EventRecorder& events;
  Metrics& metrics;
  Policy policy;
  base::Metrics* page = nullptr;             // shows what every controller counts
  OutOfBandInspection* outOfBand = nullptr;  // nullptr: there is none
  OutOfBandCleaning* cleaning = nullptr;     // likewise
  OutOfBandBoot* boot = nullptr;             // likewise
  const OutOfBandHealth* health = nullptr;   // likewise
};

class HostController final : public kube::ObjectReconciler<api::BareMetalHost, Metrics> {
 public:
  HostController(base::Runtime runtime, HostWorld world, std::size_t concurrency = kHostsAtOnce);

  // Works until cancelled. The caches are started by their owner.
  [[nodiscard]] base::Task<void> run();

  // Something that is no part of the object is worth a look at it.
  void wake(const kube::ObjectKey& key) { loop_.queue().add(key); }

 private:
  using Pass = kube::Pass<api::BareMetalHost, Metrics>;

  [[nodiscard]] base::Task<kube::Next> run(Pass& host) override;
  void gone(const kube::ObjectKey& key) override;
  [[nodiscard]] base::Task<kube::Next> rest(Pass& host);
  [[nodiscard]] base::Task<kube::Next> decide(Pass& host);
  [[nodiscard]] base::Task<BmcAccessOrProblem> findAccess(const api::BareMetalHost& host);
  [[nodiscard]] base::Task<std::variant<std::optional<BmcAccess>, CredentialsProblem>> access(Pass& host);
  [[nodiscard]] base::Task<kube::Next> refuse(Pass& host, CredentialsProblem problem);
  [[nodiscard]] base::Task<std::unique_ptr<Provisioner>> open(Pass& host, const BmcAccess* access);
  // What can be known of the host's power while the backend cannot be asked.
  [[nodiscard]] base::Task<void> recordPower(Pass& host, ProvisionerError absence);
  [[nodiscard]] base::Task<kube::Next> work(Pass& host, std::optional<BmcAccess> access, Provisioner& backend);
  // Puts off what only restates, if there is nothing else; how long at most.
  [[nodiscard]] std::optional<base::Duration> putOff(Pass& host);
  [[nodiscard]] std::string healthOf(const api::BareMetalHost& host, std::string ofBackend) const;
  [[nodiscard]] base::Task<void> save(Pass& host);
  [[nodiscard]] base::Task<void> tell(api::BareMetalHost seen, std::string why);
  [[nodiscard]] base::Task<kube::Next> saveTakenIn(Pass& host);
  void noteUnread(Pass& host, bool powerRead);
  [[nodiscard]] std::string whyMachineIsShared(const api::BareMetalHost& host) const;
  // One that is there, and that nothing is known of; nullptr: none is.
  [[nodiscard]] const kube::ObjectKey* neverReadable(const api::BareMetalHost& besides) const;
  [[nodiscard]] const kube::ObjectKey* firstForMachine(const api::BareMetalHost& host,
                                                       const std::vector<std::string>& machines) const;
  // Why the host gets no node now; "": its machine is reserved for it until its status names the node.
  [[nodiscard]] std::string reserveMachine(const api::BareMetalHost& host);
  void noteMachines(const kube::Cache<api::BareMetalHost>::Change& change);
  [[nodiscard]] std::vector<NodeRival> rivalsOf(const kube::ObjectMeta& host, const std::string& provisionerId) const;
  void noteFormerSecrets(const kube::Cache<api::BareMetalHost>::Change& change);
  void noteLeftBehind(const api::BareMetalHost& host);
  [[nodiscard]] bool kept(const kube::ObjectKey& secret, const std::vector<kube::ObjectKey>& owners) const;
  [[nodiscard]] bool mayBeNamedUnseen(const std::string& namespace_) const;
  [[nodiscard]] base::Task<void> releaseFormerSecrets(const api::BareMetalHost& host, Journal& journal);
  void noteSecretsOfNobody();
  [[nodiscard]] base::Task<void> releaseUnneeded(kube::ObjectKey key);
  [[nodiscard]] base::Task<void> workBesideReleases();
  void nodeChanged(const std::string& provisionerId);
  void backendReturned();
  void noteSlot(const kube::ObjectKey& key, bool waits);
  void wakeLongestWaiting();
  void secretChanged(const kube::Cache<kube::Secret>::Change& change);

  base::Runtime runtime_;
  HostWorld world_;
  PowerWatchdog power_;
  KubeCluster cluster_;
  kube::Controller loop_;
  kube::Subscription secretsListener_, hostsListener_, backendListener_;
  kube::Index<api::BareMetalHost, std::string> byNode_;     // one a node, unless a status was copied
  kube::Index<api::BareMetalHost, std::string> byMachine_;  // one a machine, unless a manifest was copied
  kube::Index<api::BareMetalHost, std::string> byTrouble_;  // operational statuses that the backend's return may end
  MachineClaims claims_;
  MachineReservations reservations_;
  std::set<kube::ObjectKey> waitingForBackend_;
  // Passes that fail; passes that do not look at a power that is called known; those over a host that is being moved.
  LastingTrouble trouble_, unread_, moved_;
  Restatements restated_;
  HeldDeletions held_;
  std::map<kube::ObjectKey, std::set<std::string>> formerSecrets_;  // by host, until its next pass
  LeftBehindSecrets leftBehind_{runtime_,
                                [this](const std::string& namespace_) { return mayBeNamedUnseen(namespace_); },
                                [this](kube::ObjectKey secret) { return releaseUnneeded(std::move(secret)); }};
  std::optional<base::MonoTime> backendGoneSince_;
  WaitingLine<kube::ObjectKey> waitingForSlot_;
};

// An update worth a pass: the user's part of the object changed (spec/baremetalhost.md §5.1). Our own status writes are
// not.
[[nodiscard]] bool mattersToHost(const api::BareMetalHost& before, const api::BareMetalHost& after);

// The hosts that own a Secret.
[[nodiscard]] std::vector<kube::ObjectKey> owningHosts(const kube::Secret& secret);

// A Secret that appears may be what this host waits for.
[[nodiscard]] bool mayWaitForSecret(const api::BareMetalHost& host);

}  // namespace ingot::coordinator::host
