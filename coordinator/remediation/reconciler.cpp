#include "coordinator/remediation/reconciler.hpp"

#include "api/capi/pause.hpp"
#include "api/capi/watch_filter.hpp"
#include "api/capm3/host_link.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/host_choice.hpp"
#include "coordinator/remediation/node_record.hpp"
#include "coordinator/remediation/power_hold.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::remediation {

RemediationReconciler::RemediationReconciler(base::Runtime runtime, kube::PassWorld<Metal3Remediation> world,
                                             RemediationWorld remediations)
    : ObjectReconciler(std::move(world)),
      runtime_(std::move(runtime)),
      scope_(std::move(remediations)),
      errors_(runtime_.clock, this->world().events) {}

void RemediationReconciler::gone(const kube::ObjectKey& key) {
  memories_.erase(key);
  errors_.over(key);
}

base::Task<kube::Next> RemediationReconciler::run(Pass& remediation) {
  co_return co_await errors_.watch(remediation, act(remediation));
}

base::Task<kube::Next> RemediationReconciler::act(Pass& remediation) {
  if (remediation->metadata.beingDeleted() &&
      !kube::hasFinalizer(remediation->metadata, api::capm3::finalizer::remediation))
    co_return kube::Next::onChange();
  Surroundings around = look(*remediation);
  if (!isOurs(remediation->metadata, around) && !co_await isLeftOver(*remediation, around))
    co_return kube::Next::onChange();
  Way way{.remediation = remediation, .around = std::move(around), .memory = memoryOf(*remediation)};
  kube::Next next = kube::Next::onChange();
  try {
    requireReadable(*remediation, way.around);
    const bool isUnseen = co_await findUnseenCluster(way.around);
    if (rests(*remediation, way.around)) {
      way.memory.proof.reset();  // its host rests with it, and nobody looks at its power
      way.memory.countedSince.reset();
      co_return kube::Next::onChange();
    }
    if (isUnseen) throw Waits::shortly("the Cluster was not seen yet");
    if (kube::hasFinalizer(remediation->metadata, api::capm3::finalizer::remediation) && takeOn(*remediation))
      static_cast<void>(co_await remediation.save());  // Metal3 has begun it
    next = co_await decide(way);
  } catch (const Waits& waits) {
    next = tell(way, waits);
  } catch (const kube::Error& error) {
    if (!machine::isLasting(error)) throw;
    remediation.draft().rebase(remediation.draft().before());  // what was refused is not asked for again now
    static_cast<void>(tell(way, {"Refused", error.what()}));
    next = kube::Next::withBackoff();
  }
  static_cast<void>(co_await remediation.save());
  co_return next;
}

Surroundings RemediationReconciler::look(const Metal3Remediation& remediation) const {
  Surroundings around;
  if (const auto key = machine::ownerOf(remediation.metadata)) around.machine = scope_.machines.find(*key);
  if (!around.machine) return around;
  around.cluster = scope_.clusters.find(clusterOf(*around.machine));
  if (const auto key = metalMachineOf(*around.machine)) around.metal = scope_.metalMachines.find(*key);
  return around;
}

void RemediationReconciler::requireReadable(const Metal3Remediation& remediation, const Surroundings& around) const {
  if (const auto key = machine::ownerOf(remediation.metadata); key && scope_.machines.isUnreadable(*key))
    throw Waits::unreadable("Machine", *key);
  if (!around.machine) return;
  if (const auto key = clusterOf(*around.machine); scope_.clusters.isUnreadable(key))
    throw Waits::unreadable("Cluster", key);
  if (const auto key = metalMachineOf(*around.machine); key && scope_.metalMachines.isUnreadable(*key))
    throw Waits::unreadable("Metal3Machine", *key);
}

// A Cluster that is gone takes the Nodes along, so the API has the word.
base::Task<bool> RemediationReconciler::findUnseenCluster(Surroundings& around) {
  if (!around.machine || around.cluster) co_return false;
  auto cluster = co_await scope_.unseenClusters.find(clusterOf(*around.machine));
  if (!cluster) co_return false;
  around.cluster = std::make_shared<const Cluster>(std::move(*cluster));
  co_return true;
}

bool RemediationReconciler::isOurs(const kube::ObjectMeta& remediation, const Surroundings& around) const {
  const bool decides = around.metal == nullptr || remediation.label(std::string(api::capm3::label::watchFilter));
  return api::capi::passesWatchFilter(decides ? remediation : around.metal->metadata, scope_.watchFilter);
}

// Its own label would say it, then that of its Metal3Machine, which may outlive its Machine for a while. The caches may
// be behind, so the API is asked.
base::Task<bool> RemediationReconciler::isLeftOver(const Metal3Remediation& remediation, const Surroundings& around) {
  const kube::ObjectMeta& metadata = remediation.metadata;
  const bool isLabelled = metadata.label(std::string(api::capm3::label::watchFilter)) != nullptr;
  if (!metadata.beingDeleted() || isLabelled || around.machine) co_return false;
  const auto owner = machine::ownerOf(metadata);
  if (!owner) co_return true;
  if (scope_.machines.isUnreadable(*owner) || scope_.metalMachines.anyUnreadableIn(metadata.namespace_))
    co_return false;
  for (const auto& metal : scope_.metalMachines.all(metadata.namespace_))
    if (machine::ownerOf(metal->metadata) == owner)
      co_return api::capi::passesWatchFilter(metal->metadata, scope_.watchFilter);
  co_return !co_await scope_.client.get<Machine>(*owner);
}

bool RemediationReconciler::takeOn(Metal3Remediation& remediation) const {
  const bool isNew = kube::addFinalizer(remediation.metadata, api::capm3::finalizer::remediation);
  if (scope_.watchFilter.empty()) return isNew;
  const auto [label, isUnlabelled] =
      remediation.metadata.labels.try_emplace(std::string(api::capm3::label::watchFilter), scope_.watchFilter);
  return isNew || isUnlabelled;
}

bool RemediationReconciler::rests(const Metal3Remediation& remediation, const Surroundings& around) const {
  return api::capi::isPaused(remediation.metadata) || (around.cluster && around.cluster->paused());
}

RemediationReconciler::Memory& RemediationReconciler::memoryOf(const Metal3Remediation& remediation) {
  Memory& memory = memories_[remediation.metadata.key()];
  if (memory.uid == remediation.metadata.uid) return memory;
  memory = Memory{.uid = remediation.metadata.uid};
  if (owesNode(remediation)) memory.writeLostAt = runtime_.clock.now();  // of the process before
  return memory;
}

void RemediationReconciler::forgetProof(const BareMetalHost& host) {
  for (auto& [key, memory] : memories_)
    if (isHeldOff(host, memory.uid)) memory.proof.reset();
}

base::Task<kube::Next> RemediationReconciler::decide(Way& way) {
  Metal3Remediation& remediation = *way.remediation;
  if (remediation.metadata.beingDeleted()) co_return co_await clear(way, Absent::waitForAWhile);
  if (!way.around.machine) co_return co_await withoutMachine(way);
  if (way.around.nodeGoes()) co_return co_await clear(way, Absent::waitFor);
  const std::string& phase = remediation.status.phase;
  // A machine that was handed over may stay: its owner may be unable to replace it.
  if (phase == phase::deletingMachine || phase == phase::failed) co_return co_await clear(way, Absent::waitFor);

  if (auto host = findHost(way.around); host && !(*host)->spec.online) co_return co_await fail(way, *host);
  if (!isReboot(remediation)) co_return co_await stop(way);
  if (!isUnderWay(remediation)) co_await start(way);
  countTime(way);
  if (co_await settleHandOver(way)) co_return co_await endHandOver(way);
  const Verdict verdict = judge(remediation, *way.around.machine, spent(way));
  switch (lacksOnlyProof(way) ? Verdict::goOn : verdict) {
    case Verdict::goOn: break;
    case Verdict::tryAgain: co_return co_await tryAgain(way);
    case Verdict::giveUp: co_return co_await handOver(way);
  }
  co_return co_await advance(way);
}

// Nobody can say any more whose the host is. The cache may be behind, so the API is asked.
base::Task<kube::Next> RemediationReconciler::withoutMachine(Way& way) {
  if (const auto owner = machine::ownerOf(way.remediation->metadata))
    if (co_await scope_.client.get<Machine>(*owner)) throw Waits::shortly("the Machine was not seen yet");
  static_cast<void>(co_await clear(way, Absent::waitFor));
  throw Waits("MachineMissing", "its owner, a Machine, is not there");
}

void RemediationReconciler::countTime(Way& way) {
  if (way.memory.countedSince) return;
  showBegin(*way.remediation, runtime_.clock.wall());
  countAnew(way);
}

void RemediationReconciler::countAnew(Way& way) const {
  way.remediation.journal().onceSaved(
      [&memory = way.memory, now = runtime_.clock.now()] { memory.countedSince = now; });
}

base::Duration RemediationReconciler::spent(const Way& way) const {
  const auto& since = way.memory.countedSince;
  return since ? runtime_.clock.now() - *since : base::Duration{};
}

base::Duration RemediationReconciler::timeLeftOf(const Way& way) const {
  return timeLeft(*way.remediation, spent(way));
}

bool RemediationReconciler::lacksOnlyProof(const Way& way) const {
  if (way.remediation->status.phase != phase::running || way.memory.wasProven) return false;
  const auto host = findHost(way.around);
  return host && isHeldOff(**host, way.uid()) && !powerOf(**host).on &&
         isWithin(*way.remediation, kLongestUnread + Waits::kSafetyNet, spent(way));
}

kube::Next RemediationReconciler::tell(Way& way, const Waits& waits) {
  if (!waits.reason().empty() && !way.memory.told.contains(waits.told())) {
    auto& journal = way.remediation.journal();
    waits.isTrouble() ? journal.warning(waits.reason(), waits.what()) : journal.event(waits.reason(), waits.what());
    journal.onceSaved([&told = way.memory.told, it = waits.told()] { told.insert(it); });
  }
  base::Duration again = waits.again();
  const Metal3Remediation& remediation = *way.remediation;
  if (isUnderWay(remediation) && !remediation.metadata.beingDeleted())
    if (const auto left = timeLeftOf(way); left > base::Duration{}) again = std::min(again, left);
  return kube::Next::after(again);
}

std::expected<RemediationReconciler::Host, Waits> RemediationReconciler::findHost(const Surroundings& around) const {
  if (!around.metal)
    return std::unexpected(Waits("Metal3MachineMissing", fmt::format("Metal3Machine {} of Machine {} is not there",
                                                                     around.machine->spec.infrastructureRef.name,
                                                                     around.machine->metadata.name)));
  const Metal3Machine& metal = *around.metal;
  const auto key = api::capm3::linkedHostOf(metal.metadata);
  if (!key)
    return std::unexpected(Waits("HostMissing", fmt::format("Metal3Machine {} has no host", metal.metadata.name)));
  if (scope_.hosts.isUnreadable(*key)) return std::unexpected(Waits::unreadable("BareMetalHost", *key));
  auto host = scope_.hosts.find(*key);
  if (!host) return std::unexpected(Waits("HostMissing", fmt::format("BareMetalHost {} is not there", key->name)));
  if (!machine::isConsumer(*host, metal))
    return std::unexpected(Waits("HostNotOurs", fmt::format("BareMetalHost {} is not used by Metal3Machine {}",
                                                            key->name, metal.metadata.name)));
  return host;
}

RemediationReconciler::Host RemediationReconciler::requireHost(const Way& way) const {
  auto host = findHost(way.around);
  if (!host) throw host.error();
  if (scope_.hosts.isBehind((*host)->metadata.key())) throw Waits::shortly("the host was written a moment ago");
  return *host;
}

// A Node of that name with another providerID is not the machine's.
RemediationReconciler::NodeSeen RemediationReconciler::nodeOf(const Surroundings& around) {
  const std::string& name = around.machine->status.nodeRef.name;
  if (name.empty()) return nullptr;
  const auto cluster = around.cluster ? around.cluster->metadata.key() : kube::ObjectKey{};
  if (!scope_.clusters.find(cluster))  // it may have gone during the pass
    return std::unexpected(
        workload::Unknown{workload::Unknown::Reason::noKubeconfig, "the Cluster of the machine is not there"});
  const auto nodes = scope_.nodes.nodes(cluster);
  if (!nodes) return std::unexpected(nodes.error());
  if ((*nodes)->undecoded().contains(name))
    return std::unexpected(
        workload::Unknown{workload::Unknown::Reason::failing, fmt::format("Node {} cannot be read", name)});
  auto node = (*nodes)->find(name);
  const std::string& id = around.machine->spec.providerID;
  if (node && !id.empty() && !node->spec.providerId.empty() && node->spec.providerId != id) return nullptr;
  return node;
}

}  // namespace ingot::coordinator::remediation
