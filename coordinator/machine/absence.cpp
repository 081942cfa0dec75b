// What a machine in deletion belongs to may be gone already: how that is made sure of before its host is stopped
// (spec/capm3.md §8.4, docs/decisions/0016).
#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/reconciler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ingot::coordinator::machine {

namespace {

// What is restored or made anew comes one by one. Shorter than the time to the next look.
constexpr base::Duration kAbsence = std::chrono::seconds(20);

// An API that does not serve the kind, or does not answer, proves nothing.
MachineError unproved(std::string_view what, const base::Error& error) {
  return {Problem::waiting, fmt::format("it cannot be told whether {} is gone: {}", what, error.what())};
}

template <class T>
base::Task<std::shared_ptr<const T>> ask(kube::Client& client, kube::ObjectKey key) {
  try {
    auto found = co_await client.get<T>(key);
    if (!found) co_return nullptr;
    co_return std::make_shared<const T>(std::move(*found));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    throw unproved(fmt::format("{} {}", T::info.kind, key.name), error);
  }
}

bool names(const Machine& owner, const Metal3Machine& machine) {
  const auto& reference = owner.spec.infrastructureRef;
  return reference.kind == Metal3Machine::info.kind && reference.apiGroup == Metal3Machine::info.group &&
         reference.name == machine.metadata.name;
}

// nullptr: no Machine has it for its infrastructure.
base::Task<std::shared_ptr<const Machine>> askWhoNames(kube::Client& client, const Metal3Machine& machine) {
  try {
    auto all = co_await client.list<Machine>({.namespace_ = machine.metadata.namespace_});
    const auto found = std::ranges::find_if(all, [&](const Machine& one) { return names(one, machine); });
    if (found == all.end()) co_return nullptr;
    co_return std::make_shared<const Machine>(std::move(*found));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    throw unproved("its Machine", error);
  }
}

std::string clusterNameBy(const kube::ObjectMeta& metadata) {
  const std::string* label = metadata.label(std::string(api::capm3::label::clusterName));
  return label == nullptr ? "" : *label;
}

std::string absenceOf(const Metal3Machine& machine, const Surroundings& around) {
  const auto owner = ownerOf(machine.metadata);
  if (!around.owner && owner) return fmt::format("Machine {} is gone", owner->name);
  if (!around.owner) return "no Machine has it for its infrastructure";
  return fmt::format("Cluster {} is gone", around.clusterName);
}

}  // namespace

base::Task<void> MachineReconciler::lookForAbsent(Way& way) {
  Surroundings& around = way.around;
  const Metal3Machine& machine = *way.machine;
  way.at = &step::remove;
  if (!around.owner) {
    around.owner = co_await askForOwner(machine);
    if (around.owner) around.clusterName = around.owner->spec.clusterName;
  }
  if (!around.cluster) around.cluster = co_await askForCluster(way);
  if (around.clusterRests() || (around.owner && around.cluster)) {
    absence_.over(way.machine.key());
    co_return;
  }
  if (absence_.left(way.machine.key(), "", kAbsence, runtime_.clock.now()) == base::Duration::zero()) co_return;
  throw MachineError(Problem::waiting, fmt::format("{}; unless it comes back, the host is stopped without it",
                                                   absenceOf(machine, around)));
}

// By its reference, or by that of the Machine, which sets the former.
base::Task<std::shared_ptr<const Machine>> MachineReconciler::askForOwner(const Metal3Machine& machine) {
  if (auto key = ownerOf(machine.metadata)) co_return co_await ask<Machine>(scope_.client, std::move(*key));
  co_return co_await askWhoNames(scope_.client, machine);
}

base::Task<std::shared_ptr<const Cluster>> MachineReconciler::askForCluster(Way& way) {
  Surroundings& around = way.around;
  const Metal3Machine& machine = *way.machine;
  if (!around.owner) around.clusterName = clusterNameBy(machine.metadata);
  const auto host = around.clusterName.empty() ? hostOf(machine) : std::nullopt;
  if (const auto seen = host ? scope_.hosts.find(*host) : nullptr) around.clusterName = clusterNameBy(seen->metadata);
  std::set<HostKey> keys;
  if (!around.clusterName.empty()) keys.insert({machine.metadata.namespace_, around.clusterName});
  if (const auto labelled = around.owner ? clusterOf(*around.owner) : std::nullopt) keys.insert(*labelled);
  for (const auto& key : keys) {
    if (scope_.clusters.isUnreadable(key))  // it may be paused
      throw MachineError(Problem::waiting, fmt::format("Cluster {} cannot be read", key.name));
    auto found = scope_.clusters.find(key);
    if (!found) found = co_await ask<Cluster>(scope_.client, key);
    if (found) co_return found;
  }
  co_return nullptr;
}

}  // namespace ingot::coordinator::machine
