// How a machine goes (spec/capm3.md §8.4, §11, §15.4).
#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/pause.hpp"
#include "coordinator/machine/reconciler.hpp"
#include "coordinator/machine/release.hpp"
#include "coordinator/machine/rendered_data.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/finalizer.hpp"
#include "kube/runtime/served_versions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ingot::coordinator::machine {

namespace {

// As Cluster API asks of the names of CRDs: the kind in lower case, in the plural.
kube::Resource resourceOf(const kube::OwnerReference& reference) {
  std::string plural = reference.kind + "s";
  std::ranges::transform(plural, plural.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto slash = reference.apiVersion.find('/');
  return {.group = reference.apiVersion.substr(0, slash),
          .version = reference.apiVersion.substr(slash + 1),
          .kind = reference.kind,
          .plural = std::move(plural)};
}

// The last word of a Cluster that is gone while its hosts rest was that they rest: it may live on elsewhere.
void requireMayStop(const BareMetalHost& host, const Surroundings& around) {
  const std::string& name = host.metadata.name;
  if (isBeingMoved(host.metadata))
    throw MachineError(Problem::waiting, fmt::format("host {} is being moved to another management cluster", name));
  if (around.cluster || !isPaused(host)) return;
  throw MachineError(Problem::waiting,
                     fmt::format("its Cluster is gone, and host {} is paused: it stays as it is until "
                                 "its annotation {} is removed",
                                 name, api::annotation::paused));
}

std::string clusterNameOf(const Surroundings& around, const BareMetalHost& host) {
  if (!around.clusterName.empty()) return around.clusterName;
  const std::string* label = host.metadata.label(std::string(api::capm3::label::clusterName));
  return label == nullptr ? "" : *label;
}

}  // namespace

// The host goes first: as long as it runs, the addresses and the index of its data are in use.
base::Task<kube::Next> MachineReconciler::leave(Way& way) {
  Metal3Machine& machine = *way.machine;
  scope_.waiting.noMore(way.machine.key());
  way.at = &step::remove;
  co_await release(way);
  way.at = &step::dissociate;
  static_cast<void>(co_await dissociate(machine));
  tellOfLeftHosts(machine);
  kube::removeFinalizer(machine.metadata, api::capm3::finalizer::machine);
  co_return kube::Next::onChange();
}

base::Task<void> MachineReconciler::release(Way& way) {
  const auto hosts = hostsOf(*way.machine);
  for (const auto& key : hosts) co_await release(way, key);
  co_await releaseUnsure(way, hosts);
}

// Hosts that the machine has turned away from. What made one unreadable was a write: no earlier claim reaches it.
base::Task<void> MachineReconciler::releaseUnsure(Way& way, const std::vector<HostKey>& released) {
  const auto unsure = unsureClaims_.find(way.machine.key());
  if (unsure == unsureClaims_.end()) co_return;
  const auto hosts = unsure->second;
  for (const auto& key : hosts) {
    const bool isPast = scope_.hosts.isUnreadable(key) && !co_await scope_.hosts.isClaimed(key, *way.machine);
    const bool isReleased = std::ranges::find(released, key) != released.end();
    if (!isReleased && !isPast) co_await release(way, key);
    forgetUnsure(way.machine.key(), key);
  }
}

base::Task<void> MachineReconciler::release(Way& way, HostKey key) {
  const Metal3Machine& machine = *way.machine;
  if (scope_.hosts.isUnreadable(key) && co_await scope_.hosts.isClaimed(key, machine))
    throw MachineError(Problem::waiting, fmt::format("BareMetalHost {} cannot be read", key.name));
  auto seen = scope_.hosts.find(key);
  // A claim whose answer was lost may not have reached the cache: that there is nothing to release is asked of the API.
  if (!seen || !isConsumer(*seen, machine)) {
    auto now = co_await scope_.hosts.look(key);
    if (!now) co_return;
    if (!isConsumer(*now, machine)) co_return co_await outrunClaims(key, machine);
    seen = std::make_shared<const BareMetalHost>(std::move(*now));
  }
  const BareMetalHost& host = *seen;
  if (!isOwnHost(host, machine)) co_return;
  requireMayStop(host, way.around);
  const std::string clusterName = clusterNameOf(way.around, host);
  const auto stop = [&](BareMetalHost& now) {
    if (!isConsumer(now, machine) || !isOwnHost(now, machine)) return;
    requireMayStop(now, way.around);
    const auto before = now.spec;
    stopHost(now, machine, scope_.fastTrack);
    resumeHost(now, clusterName, scope_.carrying);  // a host that rests does not deprovision
    if (now.spec != before || isStillInUse(now)) blockMove(now, scope_.carrying);
  };
  BareMetalHost stopped = host;
  stop(stopped);
  const bool mustStop = stopped.spec != host.spec || stopped.metadata.annotations != host.metadata.annotations;
  if (mustStop) co_await requireStillLeaving(way);
  const auto stillLabelled = co_await unlabelSecret(host, clusterName);
  if (mustStop) {
    tellOfStop(way, host);
    static_cast<void>(co_await scope_.hosts.edit(key, stop, true));
    throw MachineError(Problem::waiting, "deprovisioning BareMetalHost, requeuing");
  }
  if (isStillInUse(host))
    throw MachineError(Problem::waiting, fmt::format("deprovisioning BareMetalHost, requeuing: {}", whyInUse(host)));
  if (stillLabelled) throw *stillLabelled;
  const std::string reuse = co_await reuseName(way);
  bool inUse = false;
  const auto free = [&](BareMetalHost& now) {
    if (!isConsumer(now, machine) || !isOwnHost(now, machine)) return;
    requireMayStop(now, way.around);
    inUse = isStillInUse(now);
    if (!inUse) letGo(now, clusterName, reuse);
  };
  static_cast<void>(co_await scope_.hosts.edit(key, free, true));
  if (inUse) throw MachineError(Problem::waiting, "deprovisioning BareMetalHost, requeuing");
  labelled_.over(key);
}

// A label that stays is the lesser harm: it holds no host that is to be stopped, and nobody for longer than a minute.
base::Task<std::optional<kube::Error>> MachineReconciler::unlabelSecret(const BareMetalHost& host,
                                                                        const std::string& clusterName) {
  std::optional<kube::Error> failure;
  try {
    co_await scope_.hosts.unlabelSecret(host, clusterName);
  } catch (const kube::Error& error) {
    failure = error;
  }
  if (!failure) labelled_.over(host.metadata.key());
  if (!failure || labelled_.left(host.metadata, "", kErrorWait, runtime_.clock.now()) > base::Duration::zero())
    co_return failure;
  runtime_.log.warn("the Secret of a host keeps the label of its Cluster",
                    {{"host", host.metadata.key().text()}, {"cluster", clusterName}, {"error", failure->what()}});
  co_return std::nullopt;
}

void MachineReconciler::tellOfLeftHosts(const Metal3Machine& machine) {
  for (const auto& key : hostsOf(machine)) {
    const auto host = scope_.hosts.find(key);
    if (!host || !isConsumer(*host, machine) || isOwnHost(*host, machine)) continue;
    world().events.warning(
        kube::referenceTo(*host), "LeftToItself",
        fmt::format("Metal3Machine {}, its consumer, is deleted, but links to another host and never "
                    "told this one what to run: the host runs on. To free it, take off "
                    "spec.consumerRef and what it runs",
                    machine.metadata.name));
  }
}

// A claim that got no answer, perhaps of a process that is gone, may still be carried out, and would keep the host for
// a machine that is gone. It bears the version of the host that it read: a write makes it one of the past.
base::Task<void> MachineReconciler::outrunClaims(HostKey key, const Metal3Machine& machine) {
  const auto mark = [&](BareMetalHost& now) {
    if (!now.spec.consumerRef) now.metadata.annotations[kLetGoBy] = machine.metadata.uid;
  };
  std::optional<BareMetalHost> marked;
  try {
    marked = co_await scope_.hosts.edit(key, mark, true);
  } catch (const kube::Error& error) {  // a host that is not the machine's keeps it from going no longer than it must
    const auto linked = linkedHost(machine);
    if (!isLasting(error) || (linked && linked->name == key.name)) throw;
    runtime_.log.warn("a claim that may be carried out late cannot be outrun",
                      {{"machine", machine.metadata.key().text()}, {"host", key.text()}, {"error", error.what()}});
    co_return;
  }
  if (marked && isConsumer(*marked, machine))
    throw MachineError(Problem::waiting, fmt::format("host {} has just been claimed", key.name));
  const auto unmark = [&](BareMetalHost& now) { now.metadata.annotations.erase(kLetGoBy); };
  static_cast<void>(co_await scope_.hosts.edit(key, unmark, true));
}

// Under which name the host is kept for the next machine of the same owner; "": for nobody.
base::Task<std::string> MachineReconciler::reuseName(const Way& way) {
  const Surroundings& around = way.around;
  if (!around.owner || !around.cluster || around.cluster->metadata.beingDeleted()) co_return "";
  const Machine& owner = *around.owner;
  if (cluster::ownerOfKind(owner.metadata, MachineSet::info)) co_await requireKnown(way, scope_.machineSets);
  const auto set = co_await setOf(owner);
  if (set && set->metadata.beingDeleted()) co_return "";
  const auto name = co_await templateOf(way, set.get());
  if (!name) co_return "";
  co_await requireKnown(way, scope_.templates);
  const HostKey key{owner.metadata.namespace_, *name};
  if (scope_.templates.isUnreadable(key))
    throw MachineError(Problem::waiting, fmt::format("Metal3MachineTemplate {} cannot be read", *name));
  const auto found = scope_.templates.find(key);
  if (!found || !found->spec.nodeReuse.value_or(false)) co_return "";
  co_return nodeReuseName(owner, set.get());
}

// What a cache found not installed may be by now, and its objects are on their way.
base::Task<void> MachineReconciler::requireKnown(const Way& way, const kube::CacheBase& cache) {
  if (!cache.unserved()) co_return;
  const auto versions = co_await versionsServed(way, cache.resource());
  if (!versions.empty())
    throw MachineError(Problem::waiting, fmt::format("{} are not known yet", cache.resource().name()));
}

// None: nobody serves the kind, as two looks have shown.
base::Task<std::vector<std::string>> MachineReconciler::versionsServed(const Way& way, kube::Resource kind) {
  std::vector<std::string> versions;
  try {
    versions = co_await kube::servedVersions(scope_.client.api(), kind);
  } catch (const kube::Error& error) {
    throw MachineError(Problem::waiting,
                       fmt::format("it cannot be told whether {} are served: {}", kind.name(), error.what()));
  }
  if (!versions.empty())
    unserved_.over(way.machine.key());
  else if (unserved_.left(way.machine->metadata, "", kAbsence, runtime_.clock.now()) > base::Duration::zero())
    throw MachineError(Problem::waiting, fmt::format("the API does not serve {} just now", kind.name()));
  co_return versions;
}

// One whose kind is not served any more is as gone as its provider.
base::Task<std::optional<json::Value>> MachineReconciler::controlPlane(const Way& way, kube::OwnerReference plane) {
  const HostKey key{way.around.owner->metadata.namespace_, plane.name};
  kube::Resource kind = resourceOf(plane);
  try {
    co_return co_await scope_.client.api().get(kind, key);
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
  const auto versions = co_await versionsServed(way, kind);
  if (versions.empty()) co_return std::nullopt;
  kind.version = versions.front();
  try {
    co_return co_await scope_.client.api().get(kind, key);
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
    throw MachineError(Problem::waiting, error.what());
  }
}

base::Task<std::optional<std::string>> MachineReconciler::templateOf(const Way& way, const MachineSet* set) {
  const Machine& owner = *way.around.owner;
  if (!owner.metadata.label(std::string(api::capm3::label::controlPlane))) {
    if (set == nullptr) co_return std::nullopt;
    co_return set->spec.template_.spec.infrastructureRef.name;
  }
  const auto* plane = controlPlaneOf(owner);
  if (plane == nullptr) co_return std::nullopt;
  const auto found = co_await controlPlane(way, *plane);
  if (!found || json::find(*found, {"metadata", "deletionTimestamp"}) != nullptr) co_return std::nullopt;
  std::string name = json::textAt(*found, {"spec", "machineTemplate", "spec", "infrastructureRef", "name"});
  if (name.empty()) name = json::textAt(*found, {"spec", "machineTemplate", "infrastructureRef", "name"});
  if (name.empty()) co_return std::nullopt;
  co_return name;
}

// False: the claim is let go of, and not gone yet.
base::Task<bool> MachineReconciler::dissociate(Metal3Machine& machine) {
  if (!machine.spec.metaData) machine.status.metaData.reset();
  if (!machine.spec.networkData) machine.status.networkData.reset();
  machine.status.renderedData.reset();
  const auto key = machine.metadata.key();
  if (scope_.claims.isUnreadable(key))
    throw MachineError(Problem::waiting, fmt::format("Metal3DataClaim {} cannot be read", key.name));
  if (!scope_.claims.hasSeenOwnWrites(key)) throw MachineError(Problem::waiting, "the Metal3DataClaim is being made");
  auto claim = scope_.claims.find(key);
  if (!claim && machine.spec.dataTemplate) {  // the cache may be behind, and nobody else takes our finalizer off it
    if (auto made = co_await scope_.client.get<Metal3DataClaim>(key))
      claim = std::make_shared<const Metal3DataClaim>(std::move(*made));
  }
  if (!claim || isOfEarlierMachine(claim->metadata, machine)) co_return true;
  try {
    if (kube::hasFinalizer(claim->metadata, api::capm3::finalizer::machine)) {
      kube::Draft<Metal3DataClaim> draft(claim);
      kube::removeFinalizer(draft->metadata, api::capm3::finalizer::machine);
      static_cast<void>(co_await kube::save(scope_.client, draft, &scope_.claims));
    }
    if (!claim->metadata.beingDeleted())
      static_cast<void>(co_await scope_.client.remove<Metal3DataClaim>(key, {.uid = claim->metadata.uid}));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
  co_return false;
}

}  // namespace ingot::coordinator::machine
