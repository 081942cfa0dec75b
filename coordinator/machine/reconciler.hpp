// One pass over a Metal3Machine (spec/capm3.md §8): a host is chosen and claimed, told what to run once that is
// rendered, and the machine is provisioned when its Node is there; at its end the host is stopped and let go.
#pragma once

#include "api/bmh/carried_term.hpp"
#include "api/capi/owners.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "coordinator/caches/lasting_errors.hpp"
#include "coordinator/caches/unseen.hpp"
#include "coordinator/machine/error.hpp"
#include "coordinator/machine/host_work.hpp"
#include "coordinator/machine/patience.hpp"
#include "coordinator/machine/report.hpp"
#include "coordinator/machine/told_refusals.hpp"
#include "coordinator/machine/waiting.hpp"
#include "coordinator/workload/cluster_cache.hpp"
#include "coordinator/workload/cluster_turns.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/pass.hpp"

#include <expected>
#include <functional>
#include <map>
#include <set>

namespace ingot::coordinator::machine {

using api::capi::MachineSet;
using api::capm3::v1beta2::Metal3Data;
using api::capm3::v1beta2::Metal3DataClaim;
using api::capm3::v1beta2::Metal3DataTemplate;
using api::capm3::v1beta2::Metal3MachineTemplate;

struct MachineWorld {
  kube::Client& client;
  kube::Cache<Cluster>& clusters;
  kube::Cache<Machine>& machines;
  const kube::Index<Machine>& byInfrastructure;  // Machines by the Metal3Machine that they name
  kube::Cache<Metal3Cluster>& metalClusters;
  kube::Cache<MachineSet>& machineSets;
  kube::Cache<Metal3MachineTemplate>& templates;
  kube::Cache<Metal3DataTemplate>& dataTemplates;
  kube::Cache<Metal3DataClaim>& claims;
  kube::Cache<Metal3Data>& data;
  HostPool& pool;
  const ReuseOwners& reuseOwners;
  HostWork& hosts;
  Waiting& waiting;
  workload::ClusterCache& nodes;
  workload::ClusterTurns& turns;
  std::function<void(const kube::ObjectKey& machine)> wake;
  bool fastTrack = false;        // CAPM3_FAST_TRACK
  api::Carrying carrying = {};   // what a host that rests carries
  std::string watchFilter = {};  // api::capi::passesWatchFilter
};

// What is decided for the machine's host, and done to no other's. The machine outlives it.
[[nodiscard]] HostWork::Edit onOwn(const Metal3Machine& machine, HostWork::Edit change);

class MachineReconciler final : public kube::ObjectReconciler<Metal3Machine> {
 public:
  MachineReconciler(base::Runtime runtime, kube::PassWorld<Metal3Machine> world, MachineWorld machines);

  // One that hosts are kept for has come or gone.
  void ownersChanged(const std::string& namespace_) { toldRefusals_.forget(namespace_); }

 private:
  using Pass = kube::Pass<Metal3Machine>;
  using HostKey = kube::ObjectKey;
  // What a machine in deletion has been without, look by look.
  struct Absence {
    std::string uid;   // of the machine
    std::string what;  // is gone
    base::WallTime since{};
    base::MonoTime begins{};
    std::set<std::string> told = {};  // of which hosts it was told that they are stopped
  };
  // A pass while it is under way.
  struct Way {
    Pass& machine;
    Surroundings around;
    Report& report;
    const Step* at = nullptr;    // where a failure belongs
    base::Duration patience{};   // with what it waits for; none: it is told at once
    base::Duration again{};      // when to look at the latest, if it goes well; none: when something changes
    bool isNews = false;         // more is to be written than a wait
    bool knowsPause = false;     // whether it rests has been found out
    Absence* absence = nullptr;  // in spite of which its host is released
  };
  // However the pass ends.
  struct OfferAtEnd {
    MachineReconciler& reconciler;
    HostKey machine;
    ~OfferAtEnd() { reconciler.passOn(machine); }
  };

  base::Task<kube::Next> run(Pass& machine) override;
  void gone(const kube::ObjectKey& key) override;

  void passOn(const kube::ObjectKey& machine);
  [[nodiscard]] Surroundings look(const Metal3Machine& machine) const;
  // Throws MachineError(waiting) where a decision hangs on something that cannot be read.
  [[nodiscard]] base::Task<void> requireReadable(const Metal3Machine& machine, const Surroundings& around);
  [[nodiscard]] base::Task<kube::Next> judge(Way& way);
  [[nodiscard]] base::Task<kube::Next> beMoved(Pass& machine);
  [[nodiscard]] kube::Next endWith(Way& way, const MachineError& error);
  // Throws the error where it is not told (yet).
  [[nodiscard]] kube::Next endFailed(Way& way, const kube::Error& error);
  // Saves the pass; why the API does not, if so.
  [[nodiscard]] base::Task<std::optional<kube::Error>> refusalOf(Pass& machine);
  [[nodiscard]] kube::Next lookAgain() const;
  // Puts off what the pass would tell of a short wait; how long at most.
  [[nodiscard]] std::optional<base::Duration> putOff(Way& way);

  // Its pause
  [[nodiscard]] base::Task<kube::Next> rest(Way& way);
  [[nodiscard]] base::Task<void> pauseItsHost(Way& way);
  [[nodiscard]] base::Task<bool> resumeItsHost(Way& way);
  // What there is to do before anything else, when its Cluster works again.
  [[nodiscard]] base::Task<std::optional<kube::Next>> endRest(Way& way);

  // On its way into service
  [[nodiscard]] base::Task<kube::Next> advance(Way& way);
  [[nodiscard]] base::Task<kube::Next> serve(Way& way);
  [[nodiscard]] base::Task<HostKey> associate(Way& way);
  // The host of an associated machine is not there: throws hostTaken when it was told nothing, else waiting.
  [[nodiscard]] base::Task<void> endWithoutHost(const Metal3Machine& machine, std::optional<HostKey> host);
  [[nodiscard]] base::Task<HostKey> claimOne(Way& way);
  void showHost(Way& way, bool forReuse);
  [[nodiscard]] base::Task<void> link(Way& way, HostKey host);
  struct Chosen {
    HostKey host;
    bool forReuse = false;
    std::string why = {};  // "": it was the machine's already
  };
  // Why the API refused claims. Told of the first host by name of all that have refused: each pass tries others.
  struct Refusal {
    std::string host, why;  // "": it refused none

    [[nodiscard]] MachineError error() const;
  };
  struct Refused {
    std::set<HostKey> hosts;  // that are passed over
    Refusal shown;
    std::uint64_t round = 0;  // see HostWish
  };
  // Tries one host after another.
  [[nodiscard]] base::Task<HostKey> tryHosts(Way& way, Refusal& refusal);
  [[nodiscard]] Chosen choose(Way& way, const HostWish& wish, const Refusal& refusal);
  [[nodiscard]] const Refused& refusedTo(const HostKey& machine) const;
  [[nodiscard]] Refusal noteRefusal(const HostKey& machine, const HostKey& host, const std::string& why);
  [[nodiscard]] base::Task<void> leaveLinked(const Way& way, HostKey linked);
  void forgetUnsure(const HostKey& machine, const HostKey& host);
  [[nodiscard]] std::string whyNone(const Way& way, const HostWish& wish);
  [[nodiscard]] bool hasAskedForData(const Metal3Machine& machine) const;
  [[nodiscard]] bool mayMove(const Metal3Machine& machine) const;
  [[nodiscard]] base::Task<kube::Next> moveOn(Way& way, MachineError taken);
  [[nodiscard]] base::Task<void> askForData(Metal3Machine& machine);
  [[nodiscard]] base::Task<void> requireOffer(const Metal3Machine& machine);
  [[nodiscard]] base::Task<void> labelAgain(Way& way, const BareMetalHost& host);
  void takeData(Way& way);
  [[nodiscard]] base::Task<void> recordData(Way& way, HostKey host);
  [[nodiscard]] base::Task<BareMetalHost> tellHost(Way& way, HostKey host);
  void tellOfPower(const BareMetalHost& host, const Metal3Machine& machine);
  void requireUntroubled(Way& way, const BareMetalHost& host);
  [[nodiscard]] base::Task<void> findNode(Way& way, BareMetalHost host);
  [[nodiscard]] std::expected<const workload::NodeView*, workload::Unknown> nodesOf(const HostKey& cluster) const;

  // On its way out
  [[nodiscard]] base::Task<kube::Next> leave(Way& way);
  // Asks the API for what it belongs to where the caches do not show all of that. Throws MachineError(waiting) until
  // what is missing is gone for good.
  [[nodiscard]] base::Task<void> lookForAbsent(Way& way);
  [[nodiscard]] base::Duration longestAbsence(const Metal3Machine& machine) const;
  [[nodiscard]] base::Task<void> requireStillLeaving(const Way& way);
  [[nodiscard]] base::Task<void> requireStillAbsent(const Way& way);
  [[nodiscard]] base::Task<std::shared_ptr<const Machine>> askForOwner(const Metal3Machine& machine);
  [[nodiscard]] base::Task<std::shared_ptr<const Cluster>> askForCluster(Way& way);
  [[nodiscard]] std::vector<std::string> clusterNames(const Way& way) const;
  [[nodiscard]] base::Task<void> requireNoneRests(std::string namespace_);
  void tellOfStop(Way& way, const BareMetalHost& host);
  [[nodiscard]] base::Task<void> release(Way& way);
  [[nodiscard]] base::Task<void> release(Way& way, HostKey host);
  // Takes the Cluster's label off the Secret of the BMC; why it is still there, if that is to be tried again first.
  [[nodiscard]] base::Task<std::optional<kube::Error>> unlabelSecret(const BareMetalHost& host,
                                                                     const std::string& clusterName);
  // Of a host that the machine had claimed, and has no more.
  [[nodiscard]] base::Task<void> unlabelLost(BareMetalHost host, const Metal3Machine& machine, std::string clusterName);
  [[nodiscard]] base::Task<void> releaseUnsure(Way& way, const std::vector<HostKey>& released);
  void tellOfLeftHosts(const Metal3Machine& machine);  // which name the machine that goes, and are not its own
  [[nodiscard]] base::Task<void> outrunClaims(HostKey host, const Metal3Machine& machine);
  [[nodiscard]] base::Task<std::string> reuseName(const Way& way);
  [[nodiscard]] base::Task<std::optional<std::string>> templateOf(const Way& way, const MachineSet* set);
  [[nodiscard]] base::Task<std::optional<json::Value>> controlPlane(const Way& way, kube::OwnerReference plane);
  template <class T>
  [[nodiscard]] base::Task<std::shared_ptr<const T>> askFor(const Way& way, const kube::Cache<T>& cache, HostKey key);
  [[nodiscard]] base::Task<void> requireKnown(const Way& way, const kube::CacheBase& cache);
  [[nodiscard]] base::Task<std::vector<std::string>> versionsServed(const Way& way, kube::Resource kind);
  [[nodiscard]] base::Task<bool> dissociate(Metal3Machine& machine);

  // The host that the machine has, or is about to get; nullopt: none yet.
  [[nodiscard]] std::optional<HostKey> hostOf(const Metal3Machine& machine) const;
  [[nodiscard]] std::optional<HostKey> linkIn(const Metal3Machine& machine) const;
  // Whether it stays with the host that it links to (nullptr: gone), although others name it.
  [[nodiscard]] bool isBoundTo(const BareMetalHost* linked, const Metal3Machine& machine) const;
  // Whether it was told to run what the machine's status, or else its owner, names.
  [[nodiscard]] bool runsItsData(const BareMetalHost& host, const Metal3Machine& machine) const;
  // All that name it as their consumer; behind them the one that it links to, if it is another, which may refuse all.
  [[nodiscard]] std::vector<HostKey> hostsOf(const Metal3Machine& machine) const;
  // nullptr: it has none, or none that is there. The Machine outlives it.
  [[nodiscard]] base::Task<std::shared_ptr<const MachineSet>> setOf(const Machine& owner);

  base::Runtime runtime_;
  MachineWorld scope_;
  base::WallTime leadsSince_;
  Patience patience_;
  LastingErrors errors_;
  ToldRefusals toldRefusals_;
  Unseen<MachineSet> unseenSets_;
  struct WhyChosen {
    std::string uid, why;  // of the machine
  };
  std::map<HostKey, WhyChosen> whyChosen_;  // until their statuses say so
  // By machine, the hosts whose claims got no answer: they may be carried out yet.
  std::map<HostKey, std::set<HostKey>> unsureClaims_;
  // By machine, the hosts that refused its claims, of late: it tries others first.
  std::map<HostKey, Refused> refused_;
  std::map<HostKey, Absence> absences_;
  Patience labelled_;  // by host, since when its Secret cannot be rid of the label
  Patience unserved_;  // since when nobody serves the kind that would tell what a host is kept for
};

}  // namespace ingot::coordinator::machine
