#include "coordinator/machine/host_choice.hpp"

#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/read_ahead.hpp"

#include <algorithm>
#include <array>

namespace ingot::coordinator::machine {

namespace {

namespace label = api::capm3::label;

constexpr std::array<std::string_view, 12> kReasons = {
    "it is in another namespace",
    "spec.hostSelector does not match its labels",
    "it has a consumer",
    "its node-reuse label keeps it for others",
    "it is being deleted",
    "it has an error",
    "it is paused",
    "it is marked unhealthy",
    "it is provisioned for something else",
    "its provisioning state is neither available nor ready",
    "it is in another failure domain",
    "it would do, but another host was taken",
};

// Keys as the maps want them, made once.
struct Names {
  std::string nodeReuse{label::nodeReuse}, failureDomain{label::failureDomain}, paused{api::annotation::paused},
      deleteForMove{api::annotation::deleteForMove}, unhealthy{api::capm3::annotation::unhealthy},
      unhealthyOld{api::capm3::annotation::unhealthyOld};
};
const Names kKeys;

// Somebody runs something on it that is no machine.
bool isProvisionedOtherwise(const BareMetalHost& host) {
  return host.spec.image || host.spec.customDeploy || host.spec.externallyProvisioned;
}

bool isReady(const BareMetalHost& host) {
  const auto state = api::parseProvisioningState(host.status.provisioning.state);
  return state && isAvailable(*state);
}

using Hosts = std::vector<const BareMetalHost*>;

bool isElsewhere(const BareMetalHost& host, const HostWish& wish) {
  return host.metadata.namespace_ != wish.machine.metadata.namespace_;
}

bool isInDomain(const BareMetalHost& host, const std::string& domain) {
  const auto* value = failureDomainOf(host);
  return value && *value == domain;
}

// The host that the machine already has; nullptr: none.
const BareMetalHost* ownAmong(std::span<const BareMetalHost* const> hosts, const HostWish& wish) {
  const auto isOwn = [&](const BareMetalHost* host) {
    return !isElsewhere(*host, wish) && isConsumer(*host, wish.machine) && wish.selector.matches(host->metadata.labels);
  };
  const auto found = std::ranges::find_if(hosts, isOwn);
  return found == hosts.end() ? nullptr : *found;
}

// Hosts that fit the machine.
struct Fit {
  Hosts kept, available;  // kept for the machine's owner, and for anybody
};

Fit fitAmong(std::span<const BareMetalHost* const> hosts, const HostWish& wish) {
  Fit fit;
  for (const auto* host : hosts) {
    if (isElsewhere(*host, wish) || unfitness(*host, wish)) continue;
    const bool kept = !wish.nodeReuse.empty() && nodeReuseOf(*host);
    (kept ? fit.kept : fit.available).push_back(host);
  }
  return fit;
}

HostChoice chosenAmongAvailable(const Hosts& available, const HostWish& wish) {
  const std::string& domain = wish.machine.spec.failureDomain;
  requireDomain(domain);
  Hosts narrowed;
  if (!domain.empty())
    std::ranges::copy_if(available, std::back_inserter(narrowed),
                         [&](const BareMetalHost* host) { return isInDomain(*host, domain); });
  const Hosts& drawnFrom = narrowed.empty() ? available : narrowed;
  return {.host = drawnFrom.empty() ? nullptr : drawnFrom[placeOf(wish.machine) % drawnFrom.size()]};
}

// The last host that is ready. While another one is not ready none is taken, because that one is being prepared for us.
HostChoice chosenAmongKept(const Hosts& kept) {
  const auto busy = std::ranges::find_if_not(kept, [](const BareMetalHost* host) { return isReady(*host); });
  if (busy != kept.end()) return {.awaited = *busy};
  return {.host = kept.back(), .forReuse = true};
}

}  // namespace

std::string_view reasonText(Unfit unfit) { return kReasons.at(static_cast<std::size_t>(unfit)); }

// Fields that lie in the host itself are checked first, its labels and annotations last.
std::optional<Unfit> unfitness(const BareMetalHost& host, const HostWish& wish) {
  const auto& meta = host.metadata;
  const bool hasConsumer = host.spec.consumerRef.has_value();
  if (meta.beingDeleted()) return Unfit::beingDeleted;
  if (!host.status.errorMessage.empty()) return Unfit::hasError;
  const std::string* reuse = nodeReuseOf(host);
  // A host that is kept has its Cluster for a consumer; another machine's is that one's, whatever its label says.
  if (reuse && hasConsumer && cluster::refersTo(*host.spec.consumerRef, Metal3Machine::info)) return Unfit::inUse;
  if (!reuse && hasConsumer) return Unfit::inUse;
  if (isProvisionedOtherwise(host)) return Unfit::otherWorkload;
  if (!reuse && !isReady(host)) return Unfit::notAvailable;
  if (reuse && (wish.nodeReuse.empty() || *reuse != wish.nodeReuse)) return Unfit::keptForOthers;
  if (meta.annotation(kKeys.paused) || meta.annotation(kKeys.deleteForMove)) return Unfit::paused;
  if (meta.annotation(kKeys.unhealthy) || meta.annotation(kKeys.unhealthyOld)) return Unfit::unhealthy;
  if (!wish.selector.matches(meta.labels)) return Unfit::notSelected;
  return std::nullopt;
}

bool suitsAnybody(const BareMetalHost& host) {
  static const Metal3Machine anybody;
  static const HostSelector anyHost;
  return !unfitness(host, {.machine = anybody, .selector = anyHost, .nodeReuse = ""});
}

const std::string* nodeReuseOf(const BareMetalHost& host) { return host.metadata.label(kKeys.nodeReuse); }
const std::string* failureDomainOf(const BareMetalHost& host) { return host.metadata.label(kKeys.failureDomain); }

void requireDomain(const std::string& domain) {
  if (!domain.empty()) static_cast<void>(requirementOn(kKeys.failureDomain, "=", {domain}));
}

std::uint64_t placeOf(std::string_view name) {
  std::uint64_t hash = 0;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

std::uint64_t placeOf(const Metal3Machine& machine) {
  const auto& meta = machine.metadata;
  const auto hash = placeOf(meta.uid.empty() ? meta.name : meta.uid);
  return hash ^ hash >> 31;
}

bool isConsumer(const BareMetalHost& host, const Metal3Machine& machine) {
  const auto& ref = host.spec.consumerRef;
  return ref && ref->name == machine.metadata.name && ref->namespace_ == machine.metadata.namespace_ &&
         host.metadata.namespace_ == machine.metadata.namespace_ && cluster::refersTo(*ref, Metal3Machine::info);
}

bool isForTheTaking(const BareMetalHost& host) {
  static const Names keys;
  const auto& meta = host.metadata;
  const bool isMarked =
      meta.annotation(keys.paused) || meta.annotation(keys.unhealthy) || meta.annotation(keys.unhealthyOld);
  return isReady(host) && !meta.beingDeleted() && host.status.errorMessage.empty() && !isProvisionedOtherwise(host) &&
         !isMarked;
}

bool isAwaited(const BareMetalHost& host) {
  static const Metal3Machine anybody;
  static const HostSelector anyHost;
  const std::string* owner = nodeReuseOf(host);
  if (owner == nullptr || isReady(host)) return false;
  return !unfitness(host, {.machine = anybody, .selector = anyHost, .nodeReuse = *owner});
}

HostChoice chooseHost(std::span<const BareMetalHost* const> hosts, const HostWish& wish) {
  if (const auto* own = ownAmong(hosts, wish)) return {.host = own};
  const Fit fit = fitAmong(hosts, wish);
  return fit.kept.empty() ? chosenAmongAvailable(fit.available, wish) : chosenAmongKept(fit.kept);
}

std::vector<RefusedHost> refusedHosts(std::span<const BareMetalHost* const> hosts, const HostWish& wish,
                                      const HostChoice& choice) {
  const std::string& domain = wish.machine.spec.failureDomain;
  const bool drawn = choice.host && !choice.forReuse && !choice.host->spec.consumerRef;
  const bool narrowed = drawn && !domain.empty() && isInDomain(*choice.host, domain);
  const auto whyNot = [&](const BareMetalHost& host) {
    if (isElsewhere(host, wish)) return Unfit::otherNamespace;
    if (const auto unfit = unfitness(host, wish)) return *unfit;
    if (!isReady(host)) return Unfit::notAvailable;  // kept for us
    return narrowed && !isInDomain(host, domain) ? Unfit::otherDomain : Unfit::notDrawn;
  };
  std::vector<RefusedHost> refused;
  refused.reserve(hosts.size());
  const ReadAhead readAhead(hosts);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    readAhead.passing(i);
    if (hosts[i] != choice.host) refused.push_back({hosts[i], whyNot(*hosts[i])});
  }
  return refused;
}

const kube::OwnerReference* controlPlaneOf(const api::capi::Machine& machine) {
  const auto& all = machine.metadata.ownerReferences;
  const auto found = std::ranges::find_if(all, [](const kube::OwnerReference& owner) {
    return cluster::groupOf(owner.apiVersion) == "controlplane.cluster.x-k8s.io";
  });
  return found == all.end() ? nullptr : &*found;
}

std::string nodeReuseName(const api::capi::Machine& machine, const api::capi::MachineSet* set) {
  if (machine.metadata.label(std::string(label::controlPlane))) {
    const auto* plane = controlPlaneOf(machine);
    return plane ? "cp-" + plane->name : "";
  }
  const auto* owner = cluster::ownerOfKind(machine.metadata, api::capi::MachineSet::info);
  if (!owner || !set || owner->name != set->metadata.name) return "";
  if (!owner->uid.empty() && owner->uid != set->metadata.uid) return "";
  const auto* deployment = cluster::ownerOfKind(set->metadata, api::capi::MachineDeployment::info);
  return deployment ? "md-" + deployment->name : "";
}

}  // namespace ingot::coordinator::machine
