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
      unhealthy{api::capm3::annotation::unhealthy}, unhealthyOld{api::capm3::annotation::unhealthyOld};
};

// Somebody runs something on it that is no machine.
bool isProvisionedOtherwise(const BareMetalHost& host) {
  return host.spec.image || host.spec.customDeploy || host.spec.externallyProvisioned;
}

bool isReady(const BareMetalHost& host) {
  const auto state = api::parseProvisioningState(host.status.provisioning.state);
  return state && isAvailable(*state);
}

// Why the host does not fit; its state does not count when it is kept for us. Fields that lie in the host itself are
// checked first, its labels and annotations last.
std::optional<Unfit> unfitness(const BareMetalHost& host, const HostWish& wish, const Names& keys) {
  const auto& meta = host.metadata;
  const bool hasConsumer = host.spec.consumerRef.has_value();
  if (meta.beingDeleted()) return Unfit::beingDeleted;
  if (!host.status.errorMessage.empty()) return Unfit::hasError;
  const std::string* reuse = meta.label(keys.nodeReuse);
  // A host that is kept has its Cluster for a consumer; another machine's is that one's, whatever its label says.
  if (reuse && hasConsumer && cluster::refersTo(*host.spec.consumerRef, Metal3Machine::info)) return Unfit::inUse;
  if (!reuse && hasConsumer) return Unfit::inUse;
  if (isProvisionedOtherwise(host)) return Unfit::otherWorkload;
  if (!reuse && !isReady(host)) return Unfit::notAvailable;
  if (reuse && (wish.nodeReuse.empty() || *reuse != wish.nodeReuse)) return Unfit::keptForOthers;
  if (meta.annotation(keys.paused)) return Unfit::paused;
  if (meta.annotation(keys.unhealthy) || meta.annotation(keys.unhealthyOld)) return Unfit::unhealthy;
  if (!wish.selector.matches(meta.labels)) return Unfit::notSelected;
  return std::nullopt;
}

std::uint64_t hashOf(std::string_view text) {
  std::uint64_t hash = 0;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

using Hosts = std::vector<const BareMetalHost*>;

bool isElsewhere(const BareMetalHost& host, const HostWish& wish) {
  return host.metadata.namespace_ != wish.machine.metadata.namespace_;
}

bool isInDomain(const BareMetalHost& host, const std::string& domain, const Names& keys) {
  const auto* value = host.metadata.label(keys.failureDomain);
  return value && *value == domain;
}

// The hosts that nobody uses, and the host that the machine already has.
struct FirstLook {
  const BareMetalHost* own = nullptr;
  Hosts unused;
};

FirstLook firstLook(std::span<const BareMetalHost* const> hosts, const HostWish& wish) {
  FirstLook seen;
  seen.unused.reserve(hosts.size());
  for (const auto* host : hosts) {
    if (isElsewhere(*host, wish)) continue;
    if (!host->spec.consumerRef) {
      seen.unused.push_back(host);
    } else if (isConsumer(*host, wish.machine) && wish.selector.matches(host->metadata.labels)) {
      seen.own = host;
      return seen;
    }
  }
  return seen;
}

// Which of `count` the machine draws at its n-th try.
std::size_t draw(const Metal3Machine& machine, std::size_t count, std::uint64_t tries = 0) {
  const auto& meta = machine.metadata;
  const auto hash = hashOf(meta.uid.empty() ? meta.name : meta.uid) + tries * 0xd1342543de82ef95;
  return (hash ^ hash >> 31) % count;
}

// Draws a few hosts before all are looked at: where most of them fit, one of the first draws does, and the others need
// not be read. nullptr: none of these fits, which says nothing of the others.
const BareMetalHost* drawnUnseen(const Hosts& hosts, const HostWish& wish, const Names& keys) {
  constexpr std::uint64_t kTries = 16;
  if (hosts.empty()) return nullptr;
  for (std::uint64_t tries = 0; tries < kTries; ++tries) {
    const auto* host = hosts[draw(wish.machine, hosts.size(), tries)];
    if (!unfitness(*host, wish, keys)) return host;
  }
  return nullptr;
}

// Hosts that fit the machine.
struct Fit {
  Hosts kept, available;  // kept for the machine's owner, and for anybody
};

Fit fitAmong(std::span<const BareMetalHost* const> hosts, const HostWish& wish, const Names& keys) {
  Fit fit;
  const ReadAhead readAhead(hosts);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    readAhead.passing(i);
    const auto* host = hosts[i];
    if (isElsewhere(*host, wish) || unfitness(*host, wish, keys)) continue;
    const bool kept = !wish.nodeReuse.empty() && host->metadata.label(keys.nodeReuse);
    (kept ? fit.kept : fit.available).push_back(host);
  }
  return fit;
}

HostChoice chosenAmongAvailable(const Hosts& available, const HostWish& wish, const Names& keys) {
  const std::string& domain = wish.machine.spec.failureDomain;
  Hosts narrowed;
  if (!domain.empty()) {
    static_cast<void>(requirementOn(keys.failureDomain, "=", {domain}));
    std::ranges::copy_if(available, std::back_inserter(narrowed),
                         [&](const BareMetalHost* host) { return isInDomain(*host, domain, keys); });
  }
  const Hosts& drawnFrom = narrowed.empty() ? available : narrowed;
  return {.host = drawnFrom.empty() ? nullptr : drawnFrom[draw(wish.machine, drawnFrom.size())]};
}

// The last host that is ready. While another one is not ready none is taken, because that one is being prepared for us.
HostChoice chosenAmongKept(const Hosts& kept) {
  const auto busy = std::ranges::find_if_not(kept, [](const BareMetalHost* host) { return isReady(*host); });
  if (busy != kept.end()) return {.awaited = *busy};
  return {.host = kept.back(), .forReuse = true};
}

}  // namespace

std::string_view reasonText(Unfit unfit) { return kReasons.at(static_cast<std::size_t>(unfit)); }

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

HostChoice chooseHost(std::span<const BareMetalHost* const> hosts, const HostWish& wish) {
  static const Names keys;
  const FirstLook seen = firstLook(hosts, wish);
  if (seen.own) return {.host = seen.own};
  const bool anyWillDo = wish.nodeReuse.empty() && wish.machine.spec.failureDomain.empty();
  if (anyWillDo)
    if (const auto* host = drawnUnseen(seen.unused, wish, keys)) return {.host = host};
  const Fit fit = anyWillDo ? fitAmong(seen.unused, wish, keys) : fitAmong(hosts, wish, keys);
  return fit.kept.empty() ? chosenAmongAvailable(fit.available, wish, keys) : chosenAmongKept(fit.kept);
}

std::vector<RefusedHost> refusedHosts(std::span<const BareMetalHost* const> hosts, const HostWish& wish,
                                      const HostChoice& choice) {
  static const Names keys;
  const std::string& domain = wish.machine.spec.failureDomain;
  const bool drawn = choice.host && !choice.forReuse && !choice.host->spec.consumerRef;
  const bool narrowed = drawn && !domain.empty() && isInDomain(*choice.host, domain, keys);
  const auto whyNot = [&](const BareMetalHost& host) {
    if (isElsewhere(host, wish)) return Unfit::otherNamespace;
    if (const auto unfit = unfitness(host, wish, keys)) return *unfit;
    if (!isReady(host)) return Unfit::notAvailable;  // kept for us
    return narrowed && !isInDomain(host, domain, keys) ? Unfit::otherDomain : Unfit::notDrawn;
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
