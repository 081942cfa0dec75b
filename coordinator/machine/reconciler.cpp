#include "coordinator/machine/reconciler.hpp"

#include "api/bmh/names.hpp"
#include "api/capi/pause.hpp"
#include "api/capi/watch_filter.hpp"
#include "api/capm3/machine_words.hpp"
#include "api/capm3/names.hpp"
#include "base/cut_text.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/pause.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

// Until a host is told again to block its move, where the API refuses that.
constexpr base::Duration kRefusedBlock = std::chrono::minutes(5);

// All reasons why the machine rests; "": it does not.
std::string pauseOf(const Metal3Machine& machine, const Surroundings& around) {
  std::vector<std::string_view> reasons;
  if (around.clusterRests()) reasons.emplace_back("Cluster spec.paused is set to true");
  if (api::capi::isPaused(machine.metadata))
    reasons.emplace_back("Metal3Machine has the cluster.x-k8s.io/paused annotation");
  return fmt::format("{}", fmt::join(reasons, ", "));
}

// Who ends its rest changes an object that is watched on its behalf. One in deletion may have found its Cluster past
// the caches.
bool isWokenBy(const Metal3Machine& machine, const Surroundings& around) {
  if (!around.clusterRests()) return true;
  const std::string* label = machine.metadata.label(std::string(api::capm3::label::clusterName));
  const bool isLabelled = label != nullptr && *label == around.cluster->metadata.name;
  const bool hasOwner =
      around.owner && names(*around.owner, machine) && clusterOf(*around.owner) == around.cluster->metadata.key();
  return !machine.metadata.beingDeleted() && (isLabelled || hasOwner);
}

}  // namespace

HostWork::Edit onOwn(const Metal3Machine& machine, HostWork::Edit change) {
  return [&machine, change = std::move(change)](BareMetalHost& host) {
    if (isConsumer(host, machine)) change(host);
  };
}

MachineReconciler::MachineReconciler(base::Runtime runtime, kube::PassWorld<Metal3Machine> world, MachineWorld machines)
    : ObjectReconciler(std::move(world)),
      runtime_(std::move(runtime)),
      scope_(std::move(machines)),
      leadsSince_(runtime_.clock.wall()),
      toldRefusals_(scope_.pool, &scope_.reuseOwners),
      unseenSets_(runtime_.clock, scope_.client) {}

void MachineReconciler::gone(const kube::ObjectKey& key) {
  passOn(key);
  scope_.waiting.noMore(key);
  patience_.over(key);
  errors_.over(key);
  absences_.erase(key);
  unserved_.over(key);
  whyChosen_.erase(key);
  unsureClaims_.erase(key);
  refused_.erase(key);
}

// What it was woken for and did not take may be what the next one waits for.
void MachineReconciler::passOn(const kube::ObjectKey& machine) {
  while (const auto offered = scope_.waiting.offeredTo(machine)) {
    const BareMetalHost* host = scope_.pool.candidate(*offered);
    const bool isLeft = host != nullptr && isForTheTaking(*host);
    if (const auto next = scope_.waiting.refused(machine, isLeft ? host : nullptr)) scope_.wake(*next);
  }
}

Surroundings MachineReconciler::look(const Metal3Machine& machine) const {
  Surroundings around;
  if (const auto key = ownerOf(machine.metadata)) around.owner = scope_.machines.find(*key);
  if (!around.owner) return around;
  around.clusterName = around.owner->spec.clusterName;
  if (const auto key = clusterOf(*around.owner)) around.cluster = scope_.clusters.find(*key);
  if (!around.cluster) return around;
  if (const auto key = metalClusterOf(*around.cluster)) around.metalCluster = scope_.metalClusters.find(*key);
  return around;
}

base::Task<void> MachineReconciler::requireReadable(const Metal3Machine& machine, const Surroundings& around) {
  const auto require = [](bool unreadable, std::string_view kind, const kube::ObjectKey& key) {
    if (unreadable) throw MachineError(Problem::waiting, fmt::format("{} {} cannot be read", kind, key.name));
  };
  if (const auto key = ownerOf(machine.metadata)) require(scope_.machines.isUnreadable(*key), "Machine", *key);
  if (const auto key = around.owner ? clusterOf(*around.owner) : std::nullopt)
    require(scope_.clusters.isUnreadable(*key), "Cluster", *key);  // it may be paused
  const auto host = hostOf(machine);
  if (!host || !scope_.hosts.isUnreadable(*host)) co_return;
  // One that was chosen only, and not claimed, holds nothing up.
  require(wasAssociated(machine) || co_await scope_.hosts.isClaimed(*host, machine), "BareMetalHost", *host);
}

// The one that the annotation names comes first, as whoever may write hosts may name any machine as a consumer.
// Then, as somebody may write the annotation, the one that names it and that it told what to run.
std::optional<MachineReconciler::HostKey> MachineReconciler::hostOf(const Metal3Machine& machine) const {
  auto linked = linkIn(machine);
  const auto host = linked ? scope_.hosts.find(*linked) : nullptr;
  if (host && isConsumer(*host, machine)) return linked;
  const auto own = scope_.pool.hostsOf(machine.metadata.key());
  if (own.empty()) requireLink(machine);
  const auto runsIt = [&](const HostKey& key) {
    const auto one = scope_.hosts.find(key);
    return one && runsItsData(*one, machine);
  };
  if (const auto found = std::ranges::find_if(own, runsIt); found != own.end()) return *found;
  if (own.empty() || (linked && isBoundTo(host.get(), machine))) return linked;
  return own.front();
}

std::optional<MachineReconciler::HostKey> MachineReconciler::linkIn(const Metal3Machine& machine) const {
  auto linked = linkedHost(machine);
  if (linked) linked->namespace_ = machine.metadata.namespace_;  // readers ignore the one in the annotation
  return linked;
}

// A machine that has had its host, or asked for data, is nobody else's before it has given that up (moveOn). Its status
// may be lost.
bool MachineReconciler::isBoundTo(const BareMetalHost* linked, const Metal3Machine& machine) const {
  if (wasAssociated(machine) || hasAskedForData(machine)) return true;
  return linked != nullptr && runsItsData(*linked, machine);
}

bool MachineReconciler::runsItsData(const BareMetalHost& host, const Metal3Machine& machine) const {
  if (hasUserData(host, machine.status.userData)) return true;
  const auto key = ownerOf(machine.metadata);
  const auto owner = key && !machine.metadata.beingDeleted() ? scope_.machines.find(*key) : nullptr;
  return owner && hasUserData(host, userDataOf(machine, *owner));
}

std::vector<MachineReconciler::HostKey> MachineReconciler::hostsOf(const Metal3Machine& machine) const {
  std::vector<HostKey> hosts = scope_.pool.hostsOf(machine.metadata.key());
  auto linked = linkIn(machine);
  if (linked && std::ranges::find(hosts, *linked) == hosts.end()) hosts.push_back(std::move(*linked));
  return hosts;
}

// One that no watch has shown yet is there before its Machines are: hosts may be kept for them.
base::Task<std::shared_ptr<const MachineSet>> MachineReconciler::setOf(const Machine& owner) {
  const auto* reference = cluster::ownerOfKind(owner.metadata, MachineSet::info);
  if (reference == nullptr) co_return nullptr;
  const kube::ObjectKey key{owner.metadata.namespace_, reference->name};
  if (scope_.machineSets.isUnreadable(key))
    throw MachineError(Problem::waiting, fmt::format("MachineSet {} cannot be read", key.name));
  const auto seen = scope_.machineSets.find(key);
  if (seen && (reference->uid.empty() || reference->uid == seen->metadata.uid)) co_return seen;
  auto unseen = co_await unseenSets_.find(key, reference->uid);
  if (!unseen) co_return seen;
  co_return std::make_shared<const MachineSet>(std::move(*unseen));
}

base::Task<kube::Next> MachineReconciler::run(Pass& machine) {
  const OfferAtEnd offer{*this, machine.key()};
  if (!api::capi::passesWatchFilter(machine->metadata, scope_.watchFilter)) co_return kube::Next::onChange();
  const bool leaves = machine->metadata.beingDeleted();
  const bool isHeld = kube::hasFinalizer(machine->metadata, api::capm3::finalizer::machine);
  if (leaves && !isHeld) co_return kube::Next::onChange();
  if (leaves && isBeingMoved(machine->metadata)) co_return co_await beMoved(machine);
  const Surroundings around = look(*machine);
  const auto before = machine->status;
  Report report(*machine, runtime_.clock.wall());
  Way way{.machine = machine, .around = around, .report = report, .at = &step::associate};
  kube::Next next = kube::Next::onChange();
  std::optional<kube::Error> failure;
  try {
    co_await requireReadable(*machine, around);
    const auto host = hostOf(*machine);
    if (host && scope_.hosts.isBehind(*host)) co_return kube::Next::after(std::chrono::seconds(1));
    next = co_await judge(way);
  } catch (const MachineError& error) {
    next = endWith(way, error);
  } catch (const kube::Error& error) {
    failure = error;
  }
  if (failure) next = endFailed(way, *failure);
  report.finish(before);
  std::optional<base::Duration> wait = putOff(way);
  if (way.again > base::Duration::zero()) wait = std::min(way.again, wait.value_or(way.again));
  if (auto refusal = co_await refusalOf(machine)) {
    failure = std::move(refusal);
    next = endFailed(way, *failure);
    report.finish(before);
    static_cast<void>(co_await machine.save());
  }
  if (failure && !isLasting(*failure)) throw *failure;  // told, and tried again like one that is not
  errors_.over(machine.key());
  if (failure || !wait || next.kind() == kube::Next::Kind::backoff) co_return next;
  co_return kube::Next::after(next.kind() == kube::Next::Kind::after ? std::min(*wait, next.delay()) : *wait);
}

// clusterctl takes its finalizers off itself, within moments.
base::Task<kube::Next> MachineReconciler::beMoved(Pass& machine) {
  absences_.erase(machine.key());
  const base::Duration left = patience_.left(machine->metadata, "moved", kMachineWait, runtime_.clock.now());
  if (left > base::Duration::zero()) co_return kube::Next::after(left);
  const auto before = machine->status;
  Report report(*machine, runtime_.clock.wall());
  report.leaving(fmt::format("it is being moved by clusterctl; to let it go, remove its annotation {}",
                             api::annotation::deleteForMove));
  report.finish(before);
  static_cast<void>(co_await machine.save());
  co_return kube::Next::onChange();
}

// Each pass decides anew, from the other objects: nothing hangs on a status that was not written.
std::optional<base::Duration> MachineReconciler::putOff(Way& way) {
  const auto& shown = way.machine.draft().before().status;
  if (way.patience == base::Duration::zero()) {
    patience_.over(way.machine.key());
    return std::nullopt;
  }
  const base::Duration left =
      patience_.left(way.machine->metadata, way.at->failure, way.patience, runtime_.clock.now());
  if (left == base::Duration::zero() || way.isNews || !mayStand(shown)) return std::nullopt;
  way.machine->status = shown;
  return left;
}

base::Task<kube::Next> MachineReconciler::judge(Way& way) {
  Metal3Machine& machine = *way.machine;
  const bool leaves = machine.metadata.beingDeleted();
  if (leaves) co_await lookForAbsent(way);
  way.knowsPause = true;
  // Paused with its Cluster, it rests whatever else that waits for (spec/cluster-api.md §1.10).
  const bool isPaused = way.around.cluster && !pauseOf(machine, way.around).empty();
  const Missing missing = leaves || isPaused ? Missing::nothing : missingFor(way.around);
  if (missing != Missing::nothing) {
    const auto owner = missing == Missing::owner ? ownerOf(machine.metadata) : std::nullopt;
    if (owner)
      way.report.missingOwner(owner->name);
    else
      way.report.missing(missing);
    way.patience = kMachineWait;
    const bool isLinked = kube::hasFinalizer(machine.metadata, api::capm3::finalizer::machine);
    if (isLinked && way.around.cluster) {
      way.report.notPaused();
      if (const auto first = co_await endRest(way)) co_return *first;
    }
    co_return lookAgain();  // all of it is watched, and found by labels that may be missing too
  }
  if (!pauseOf(machine, way.around).empty()) co_return co_await rest(way);
  if (leaves) co_return co_await leave(way);
  machine.spec.failureDomain = way.around.owner->spec.failureDomain;
  if (const auto first = co_await endRest(way)) co_return *first;
  co_return co_await advance(way);
}

base::Task<std::optional<kube::Next>> MachineReconciler::endRest(Way& way) {
  const Metal3Machine& machine = *way.machine;
  if (!kube::hasFinalizer(machine.metadata, api::capm3::finalizer::machine)) co_return std::nullopt;
  if (co_await resumeItsHost(way)) co_return kube::Next::after(std::chrono::seconds(1));
  co_return std::nullopt;
}

kube::Next MachineReconciler::endWith(Way& way, const MachineError& error) {
  Metal3Machine& machine = *way.machine;
  const bool waitsForHost = error.problem() == Problem::noHost;
  if (error.problem() == Problem::soon && !machine.metadata.beingDeleted()) way.patience = kShortWait;
  const bool waits = waitsForHost || error.problem() == Problem::waiting || error.problem() == Problem::soon;
  if (way.absence == nullptr) absences_.erase(way.machine.key());  // this look has not proved it
  if (way.knowsPause && pauseOf(machine, way.around).empty()) way.report.notPaused();
  if (waits && machine.metadata.beingDeleted()) {
    way.report.leaving(error.what());
    return lookAgain();
  }
  const std::string text =
      waits ? fmt::format("{}{}", error.what(), api::capm3::message::requeued) : std::string(error.what());
  if (waitsForHost)
    way.report.stillFails(*way.at, text);
  else
    way.report.failed(*way.at, text);
  return waits ? lookAgain() : kube::Next::withBackoff();
}

// Shown, as nobody reads logs first; thrown again where it may be over in a moment. What was refused is not asked for
// again now: it would keep the status from being written.
kube::Next MachineReconciler::endFailed(Way& way, const kube::Error& error) {
  const auto text = isLasting(error)
                        ? base::cutText(error.what(), kLongestError)
                        : errors_.tell(way.machine->metadata, way.at->failure, error.what(), runtime_.clock.now());
  if (!text) throw error;
  way.machine.draft().rebaseMain(Metal3Machine(way.machine.draft().before()));
  way.patience = {};
  const kube::Next next = endWith(way, MachineError(Problem::refused, *text));
  return way.at->isPause && isLasting(error) ? lookAgain() : next;
}

base::Task<std::optional<kube::Error>> MachineReconciler::refusalOf(Pass& machine) {
  try {
    static_cast<void>(co_await machine.save());
  } catch (const kube::Error& error) {
    co_return error;
  }
  co_return std::nullopt;
}

// Machines that came together do not come back together.
kube::Next MachineReconciler::lookAgain() const {
  return kube::Next::after(std::chrono::seconds(25) + std::chrono::milliseconds(runtime_.random.below(10'000)));
}

base::Task<kube::Next> MachineReconciler::rest(Way& way) {
  co_await pauseItsHost(way);
  const auto key = hostOf(*way.machine);
  const auto host = key ? scope_.hosts.find(*key) : nullptr;
  // What is shown as associated gets no label for its Secret any more.
  const bool isWhole =
      host && isConsumer(*host, *way.machine) && scope_.hosts.isSecretLabelled(*host, way.around.clusterName);
  if (wasAssociated(*way.machine) || isWhole) showHost(way, false);
  way.report.paused(pauseOf(*way.machine, way.around));
  co_return isWokenBy(*way.machine, way.around) ? kube::Next::onChange() : lookAgain();
}

// The pause stands before `clusterctl move` may take the host along: two writes, in this order. What is being done to
// it would be done anew where it arrives: until it is at rest, which a paused one does not come to, the move is
// refused. A machine that rests alone leaves its host at work.
base::Task<void> MachineReconciler::pauseItsHost(Way& way) {
  if (!way.around.clusterRests()) {
    static_cast<void>(co_await resumeItsHost(way));
    co_return;
  }
  const Metal3Machine& machine = *way.machine;
  const auto key = hostOf(machine);
  const auto seen = key ? scope_.hosts.find(*key) : nullptr;
  if (!seen) co_return;
  const auto pause = onOwn(machine, [this](BareMetalHost& host) {
    blockMove(host, scope_.carrying);
    pauseHost(host, scope_.carrying);
  });
  const auto allow = onOwn(machine, [this](BareMetalHost& host) {
    if (isReadyToMove(host, scope_.carrying)) allowMove(host);
  });
  // A copy of the status goes with the pause: it must be of the host as it is now.
  const bool isNew = !isPacked(*seen, scope_.carrying);
  const Step* at = std::exchange(way.at, &step::setPause);
  if (isNew) static_cast<void>(co_await scope_.hosts.edit(*key, pause, true));
  static_cast<void>(co_await scope_.hosts.edit(*key, allow, isNew));
  way.at = at;
}

// Its Cluster works, whatever the machine waits for. True when the host was written: it is no longer paused, blocks its
// move, and bears who told it what to run, which another provider does not write. Where there is no pause to end, a
// refused write leaves the host without the others, and nothing waits for that. Nor for who told it, which changes
// nothing else: false then.
base::Task<bool> MachineReconciler::resumeItsHost(Way& way) {
  const auto key = hostOf(*way.machine);
  const auto seen = key ? scope_.hosts.find(*key) : nullptr;
  if (!seen || !way.around.cluster) co_return false;
  const auto resume = onOwn(*way.machine, [&](BareMetalHost& host) {
    resumeHost(host, way.around.clusterName, scope_.carrying);
    blockMove(host, scope_.carrying);
    if (runsItsData(host, *way.machine)) markTold(host, *way.machine);
  });
  BareMetalHost resumed = *seen;
  resume(resumed);
  if (resumed.metadata.annotations == seen->metadata.annotations && resumed.metadata.labels == seen->metadata.labels)
    co_return false;
  const bool endsPause = isPaused(*seen) && !isPaused(resumed);
  const auto withoutMark = [](kube::ObjectMeta metadata) {
    metadata.annotations.erase(kToldBy);
    return std::pair(std::move(metadata.annotations), std::move(metadata.labels));
  };
  const bool isMarkOnly = withoutMark(resumed.metadata) == withoutMark(seen->metadata);
  const Step* at = std::exchange(way.at, endsPause ? &step::removePause : &step::writeHost);
  bool written = false;
  try {
    written = (co_await scope_.hosts.edit(*key, resume, false)).has_value();
  } catch (const kube::Error& error) {
    if (endsPause || error.code() == kube::Error::Code::conflict) throw;
    way.again = isLasting(error) ? kRefusedBlock : lookAgain().delay();
    runtime_.log.warn("a host in use cannot be told to block its move, or whose it is",
                      {{"machine", way.machine.key().text()}, {"host", key->text()}, {"error", error.what()}});
  }
  way.at = at;
  co_return written && !isMarkOnly;
}

}  // namespace ingot::coordinator::machine
