// One pass over a Metal3Remediation (spec/capm3.md §18): its host is switched off, and once that is proven the Node is
// taken out of service or deleted; the host is switched on again, and the Node gets back what it had. When that does
// not help in time, it is tried again, and in the end the machine is handed to the controller that owns it.
//
// The finalizer stands before the first change to anything else, and goes when nothing of the remediation is left: no
// annotation that keeps a host off, no taint, no record that was not put back. Each step may run twice, or stop half
// way.
#pragma once

#include "coordinator/caches/lasting_errors.hpp"
#include "coordinator/caches/unseen_clusters.hpp"
#include "coordinator/machine/host_work.hpp"
#include "coordinator/remediation/attempt.hpp"
#include "coordinator/remediation/power_proof.hpp"
#include "coordinator/remediation/surroundings.hpp"
#include "coordinator/remediation/waits.hpp"
#include "coordinator/workload/cluster_cache.hpp"
#include "coordinator/workload/cluster_turns.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/pass.hpp"

#include <expected>

namespace ingot::coordinator::remediation {

struct RemediationWorld {
  kube::Client& client;
  kube::Cache<Cluster>& clusters;
  UnseenClusters& unseenClusters;
  kube::Cache<Machine>& machines;
  kube::Cache<Metal3Machine>& metalMachines;
  kube::Index<BareMetalHost, std::string>& heldOff;  // by the uid of who keeps them off
  machine::HostWork& hosts;
  workload::ClusterCache& nodes;
  workload::ClusterTurns& turns;
  std::string watchFilter = {};  // api::capi::passesWatchFilter
  AgentReadings readings = {};
};

class RemediationReconciler final : public kube::ObjectReconciler<Metal3Remediation> {
 public:
  RemediationReconciler(base::Runtime runtime, kube::PassWorld<Metal3Remediation> world, RemediationWorld remediations);

  // The host is, or was until now, left alone: what it said before proves nothing, also when no pass sees it so.
  void forgetProof(const BareMetalHost& host);

 private:
  using Pass = kube::Pass<Metal3Remediation>;
  using Host = std::shared_ptr<const BareMetalHost>;
  using NodeSeen = std::expected<workload::NodeView::Snapshot, workload::Unknown>;  // nullptr: there is none

  // What is known of a remediation only as long as this process lives: without it more is waited for.
  struct Memory {
    std::string uid;
    std::optional<kube::ObjectKey> host;  // that was asked to be kept off
    std::optional<PowerProof> proof;
    std::optional<base::MonoTime> blindSince;        // its host is off, and its Node is not known
    bool wasProven = false;                          // that the host is off, in this attempt
    std::optional<base::MonoTime> countedSince;      // the time of the attempt runs: nobody rested since, we were there
    std::optional<base::MonoTime> nodeAwaitedSince;  // by a deletion
    std::optional<base::MonoTime> nodeBehindSince;   // the API has another Node than its watch has shown
    std::optional<base::MonoTime> writeLostAt;       // one to the Node, which may still be carried out
    bool isNodeOut = false;                          // of service, as the API has said in this attempt
    std::set<Waits::Told> told;                      // in this attempt
  };
  // A pass while it is under way.
  struct Way {
    Pass& remediation;
    Surroundings around;
    Memory& memory;
    [[nodiscard]] const std::string& uid() const { return remediation.draft().before().metadata.uid; }
  };
  // Until when a Node that is to get something back is waited for.
  enum class Absent : std::uint8_t { waitFor, waitForAWhile };

  base::Task<kube::Next> run(Pass& remediation) override;
  void gone(const kube::ObjectKey& key) override;
  [[nodiscard]] base::Task<kube::Next> act(Pass& remediation);

  [[nodiscard]] Surroundings look(const Metal3Remediation& remediation) const;
  // By its own label, or by its Metal3Machine's: Cluster API makes it without one.
  [[nodiscard]] bool isOurs(const kube::ObjectMeta& remediation, const Surroundings& around) const;
  // In deletion, and nobody can tell any more who has begun it: whoever finds it ends it (docs/decisions/0046).
  [[nodiscard]] base::Task<bool> isLeftOver(const Metal3Remediation& remediation, const Surroundings& around);
  // Who takes it on goes on with it, whatever becomes of its machine: the label stands with the finalizer. False: both
  // are there.
  bool takeOn(Metal3Remediation& remediation) const;
  // Throws Waits where a decision hangs on something that cannot be read.
  void requireReadable(const Metal3Remediation& remediation, const Surroundings& around) const;
  // True: no watch has shown the machine's Cluster, and the API has it.
  [[nodiscard]] base::Task<bool> findUnseenCluster(Surroundings& around);
  [[nodiscard]] bool rests(const Metal3Remediation& remediation, const Surroundings& around) const;
  [[nodiscard]] Memory& memoryOf(const Metal3Remediation& remediation);
  [[nodiscard]] base::Task<kube::Next> decide(Way& way);
  [[nodiscard]] kube::Next tell(Way& way, const Waits& waits);
  // Its time counts from when somebody acts on it: not while it rests, nor while no process was there.
  void countTime(Way& way);
  // The attempt has its whole time from now on, as soon as that is saved.
  void countAnew(Way& way) const;
  [[nodiscard]] base::Duration spent(const Way& way) const;
  [[nodiscard]] base::Duration timeLeftOf(const Way& way) const;
  // Its host says off, and only what proves that is missing: that may take longer than the attempt has.
  [[nodiscard]] bool lacksOnlyProof(const Way& way) const;
  [[nodiscard]] base::Task<kube::Next> withoutMachine(Way& way);

  // The host that the machine has; as the cache has it.
  [[nodiscard]] std::expected<Host, Waits> findHost(const Surroundings& around) const;
  [[nodiscard]] Host requireHost(const Way& way) const;
  [[nodiscard]] NodeSeen nodeOf(const Surroundings& around);

  // --- an attempt; each throws Waits until it is done ---
  [[nodiscard]] base::Task<void> start(Way& way);
  [[nodiscard]] base::Task<void> confirmNeed(Way& way);
  [[nodiscard]] base::Task<kube::Next> advance(Way& way);
  [[nodiscard]] base::Task<BareMetalHost> switchOff(Way& way, Host host);
  void requireOff(Way& way, const BareMetalHost& host) const;
  [[nodiscard]] base::Task<void> confirmOff(Way& way, kube::ObjectKey host);
  [[nodiscard]] base::Task<void> fence(Way& way, kube::ObjectKey host);
  [[nodiscard]] workload::ClusterTurns::Turn turnAt(Way& way);
  [[nodiscard]] base::Task<void> putOutOfService(Way& way, kube::ObjectKey host, workload::NodeView::Snapshot node);
  [[nodiscard]] base::Task<void> taint(Way& way, const kube::Node& node);
  [[nodiscard]] base::Task<void> removeNode(Way& way, kube::ObjectKey host, workload::NodeView::Snapshot node);
  void tellOfCut(Way& way, const std::string& node, std::size_t leftOut);
  [[nodiscard]] base::Task<void> switchOn(Way& way, Host host);

  // --- its end ---
  [[nodiscard]] base::Task<kube::Next> tryAgain(Way& way);
  [[nodiscard]] base::Task<kube::Next> handOver(Way& way);
  [[nodiscard]] base::Task<kube::Next> fail(Way& way, Host host);
  [[nodiscard]] base::Task<kube::Next> stop(Way& way);
  [[nodiscard]] base::Task<kube::Next> clear(Way& way, Absent absent);
  [[nodiscard]] base::Task<void> freeHosts(Way& way);
  // A hand-over that was begun and cut off: the mark on its host is taken back, unless the machine has been asked to
  // go, or goes: true.
  [[nodiscard]] base::Task<bool> settleHandOver(Way& way);
  [[nodiscard]] base::Task<bool> isHandedOver(Way& way);
  [[nodiscard]] base::Task<kube::Next> endHandOver(Way& way);
  [[nodiscard]] base::Task<void> edit(kube::ObjectKey host, machine::HostWork::Edit how);
  [[nodiscard]] base::Task<void> restoreNode(Way& way, Absent absent);
  void awaitNode(Way& way, Absent absent, const Waits& waits);
  // nullopt: the error does not say that the Node is another by now, or gone.
  [[nodiscard]] std::optional<Waits> behind(Way& way, const kube::Error& error);
  void awaitLostWrite(const Way& way) const;

  base::Runtime runtime_;
  RemediationWorld scope_;
  LastingErrorEvents<Metal3Remediation> errors_;
  std::map<kube::ObjectKey, Memory> memories_;
};

}  // namespace ingot::coordinator::remediation
