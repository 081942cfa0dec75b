// What a machine in deletion belongs to may be gone already: how that is made sure of before its host is stopped
// (spec/capm3.md §8.4, docs/decisions/0016).
#include "api/capi/pause.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/api_word.hpp"
#include "coordinator/machine/pause.hpp"
#include "coordinator/machine/reconciler.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

// What a restore from a backup brings comes minutes apart, and the garbage collector is faster.
constexpr base::Duration kRestore = std::chrono::minutes(10);

template <class T>
base::Task<std::vector<T>> askAll(kube::Client& client, std::string namespace_, std::string_view what) {
  try {
    co_return co_await client.list<T>({.namespace_ = std::move(namespace_)});
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    throw unproved(what, error.what());
  }
}

// It came so shortly before the deletion that what it belongs to may have to come yet.
bool wasYoung(const kube::ObjectMeta& metadata, base::WallTime leaves) {
  return !metadata.creationTimestamp || leaves - *metadata.creationTimestamp < kRestore;
}

std::string absenceOf(const Metal3Machine& machine, const Surroundings& around) {
  const auto owner = ownerOf(machine.metadata);
  const std::string cluster = around.clusterName.empty() ? "its Cluster" : "Cluster " + around.clusterName;
  if (around.owner) return cluster + " is gone";
  const std::string machineGone =
      owner ? fmt::format("Machine {} is gone", owner->name) : "no Machine has it for its infrastructure";
  return around.cluster ? machineGone : fmt::format("{}, and {} is gone", machineGone, cluster);
}

}  // namespace

// Each look proves all of it anew; one that does not ends what was counted before.
base::Task<void> MachineReconciler::lookForAbsent(Way& way) {
  Surroundings& around = way.around;
  const Metal3Machine& machine = *way.machine;
  const auto known = absences_.extract(way.machine.key());
  way.at = &step::remove;
  if (around.owner && around.cluster) co_return;
  if (!around.owner) {
    around.owner = co_await askForOwner(machine);
    if (around.owner) around.clusterName = around.owner->spec.clusterName;
  }
  around.cluster = co_await askForCluster(way);
  const bool rests = around.clusterRests() || api::capi::isPaused(machine.metadata);
  if (rests || (around.owner && around.cluster)) co_return;

  Absence absence{.uid = machine.metadata.uid,
                  .what = absenceOf(machine, around),
                  .since = runtime_.clock.wall(),
                  .begins = runtime_.clock.now()};
  if (known && known.mapped().uid == absence.uid && known.mapped().what == absence.what) absence = known.mapped();
  const base::Duration longest = longestAbsence(machine);
  way.absence = &absences_.insert_or_assign(way.machine.key(), absence).first->second;
  if (runtime_.clock.now() - absence.begins >= longest) co_return co_await requireStillAbsent(way);
  const std::string until = longest == kAbsence ? "" : " at " + base::formatTime(absence.since + longest);
  throw MachineError(Problem::waiting,
                     fmt::format("{}; unless it comes back, the host is stopped without it{}", absence.what, until));
}

// What was in deletion when this process began to lead may have been so for months, with its server at work.
base::Duration MachineReconciler::longestAbsence(const Metal3Machine& machine) const {
  const base::WallTime leaves = *machine.metadata.deletionTimestamp;
  if (leaves <= leadsSince_ || wasYoung(machine.metadata, leaves)) return kRestore;
  const auto isYoung = [&](const HostKey& key) {
    const auto host = scope_.hosts.find(key);
    return host && wasYoung(host->metadata, leaves);
  };
  return std::ranges::any_of(hostsOf(machine), isYoung) ? kRestore : kAbsence;
}

// The last word before a host is stopped is the API's: caches may be minutes behind.
base::Task<void> MachineReconciler::requireStillLeaving(const Way& way) {
  const auto& seen = way.machine->metadata;
  const auto now = co_await ask<Metal3Machine>(scope_.client, seen.key());
  const bool isSame = now && now->metadata.uid == seen.uid && now->metadata.beingDeleted();
  if (!isSame || api::capi::isPaused(now->metadata) || isBeingMoved(now->metadata))
    throw MachineError(Problem::waiting, "it has changed, and is not known yet as it is now");
  if (!way.around.cluster) co_return;
  const auto& known = way.around.cluster->metadata;
  const auto cluster = co_await ask<Cluster>(scope_.client, known.key());
  if (!cluster || cluster->metadata.uid != known.uid || cluster->paused())
    throw MachineError(Problem::waiting,
                       fmt::format("Cluster {} has changed, and is not known yet as it is now", known.name));
}

base::Task<void> MachineReconciler::requireStillAbsent(const Way& way) {
  const Metal3Machine& machine = *way.machine;
  const auto& seen = machine.metadata;
  co_await requireStillLeaving(way);
  if (way.around.owner || ownerOf(seen)) co_return;
  const auto all = co_await askAll<Machine>(scope_.client, seen.namespace_, "its Machine");
  if (std::ranges::any_of(all, [&](const Machine& one) { return names(one, machine); }))
    throw MachineError(Problem::waiting, "a Machine has it for its infrastructure, and is not known yet");
}

// By its reference, or by that of the Machine, which sets the former. nullptr: there is none, or, without a reference,
// none is known.
base::Task<std::shared_ptr<const Machine>> MachineReconciler::askForOwner(const Metal3Machine& machine) {
  const auto key = machine.metadata.key();
  if (auto owner = ownerOf(machine.metadata)) co_return co_await ask<Machine>(scope_.client, std::move(*owner));
  if (scope_.machines.anyUnreadableIn(key.namespace_)) throw unproved("its Machine", "not all of them can be read");
  const auto& found = scope_.byInfrastructure.find(key);
  co_return found.empty() ? nullptr : scope_.machines.find(*found.begin());
}

// A wrong name must not hide the right one: of several Clusters the one that rests counts.
base::Task<std::shared_ptr<const Cluster>> MachineReconciler::askForCluster(Way& way) {
  Surroundings& around = way.around;
  const std::string& space = way.machine->metadata.namespace_;
  const auto names = clusterNames(way);
  std::shared_ptr<const Cluster> found;
  for (const auto& name : names) {
    if (scope_.clusters.isUnreadable({space, name}))  // it may be paused
      throw MachineError(Problem::waiting, fmt::format("Cluster {} cannot be read", name));
    const auto one = co_await ask<Cluster>(scope_.client, {space, name});
    if (one && (!found || (one->paused() && !found->paused()))) found = one;
  }
  if (names.empty()) co_await requireNoneRests(space);
  if (!around.owner && !names.empty()) around.clusterName = found ? found->metadata.name : names.front();
  co_return found;
}

// All that anything gives its Cluster, the most trustworthy first.
std::vector<std::string> MachineReconciler::clusterNames(const Way& way) const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  const auto addLabel = [&](const kube::ObjectMeta& metadata) {
    if (const std::string* label = metadata.label(std::string(api::capm3::label::clusterName))) add(*label);
  };
  if (way.around.owner) {
    add(way.around.owner->spec.clusterName);
    addLabel(way.around.owner->metadata);
  }
  addLabel(way.machine->metadata);
  for (const auto& key : hostsOf(*way.machine))
    if (const auto host = scope_.hosts.find(key)) addLabel(host->metadata);
  return names;
}

base::Task<void> MachineReconciler::requireNoneRests(std::string namespace_) {
  if (scope_.clusters.anyUnreadableIn(namespace_)) throw unproved("its Cluster", "not all of them can be read");
  const auto all = co_await askAll<Cluster>(scope_.client, std::move(namespace_), "its Cluster");
  const auto resting = std::ranges::find_if(all, &Cluster::paused);
  if (resting == all.end()) co_return;
  throw MachineError(Problem::waiting,
                     fmt::format("nothing names its Cluster, and Cluster {} is paused", resting->metadata.name));
}

// Told before the act, which nobody asked for in so many words: whatever ends the process then, the log has it.
void MachineReconciler::tellOfStop(Way& way, const BareMetalHost& host) {
  if (way.absence == nullptr || !way.absence->told.insert(host.metadata.uid).second) return;
  const std::string since = base::formatTime(way.absence->since);
  runtime_.log.warn("a host is stopped without what its machine belongs to", {{"machine", way.machine.key().text()},
                                                                              {"host", host.metadata.key().text()},
                                                                              {"uid", host.metadata.uid},
                                                                              {"absent", way.absence->what},
                                                                              {"since", since}});
  world().events.warning(kube::referenceTo(*way.machine), "ReleasedWithoutMachine",
                         fmt::format("host {} is stopped: {} since {}", host.metadata.name, way.absence->what, since));
}

}  // namespace ingot::coordinator::machine
