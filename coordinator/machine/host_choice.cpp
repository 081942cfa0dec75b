#include "coordinator/machine/host_choice.hpp"

#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/label_rules.hpp"

#include <algorithm>
#include <array>

namespace ingot::coordinator::machine {

namespace {

namespace label = api::capm3::label;

constexpr std::array<std::string_view, 11> kReasons = {
    "it is in another namespace",
    "spec.hostSelector does not match its labels",
    "it has a consumer",
    "its node-reuse label keeps it for others",
    "it is being deleted",
    "it has an error",
    "it is paused",
    "it is marked unhealthy",
    "its provisioning state is neither available nor ready",
    "it is in another failure domain",
    "it would do, but another host was taken",
};

std::string_view groupOf(std::string_view apiVersion) {
  const auto slash = apiVersion.find('/');
  return slash == std::string_view::npos ? std::string_view() : apiVersion.substr(0, slash);
}

// Keys as the maps want them, made once.
struct Keys {
  std::string nodeReuse{label::nodeReuse}, failureDomain{label::failureDomain}, paused{api::annotation::paused},
      unhealthy{api::capm3::annotation::unhealthy}, unhealthyOld{api::capm3::annotation::unhealthyOld};
};

bool isReady(const BareMetalHost& host) {
  const auto state = host.status.provisioning.state;
  return state == "available" || state == "ready";
}

// What speaks against the host, but for its state when it is kept for us. What lies in the host itself is asked first,
// its labels and annotations last: thousands of hosts do not fit into a CPU's cache.
std::optional<Unfit> unfitness(const BareMetalHost& host, const HostWish& wish, const Keys& keys) {
  const auto& meta = host.metadata;
  const bool hasConsumer = host.spec.consumerRef.has_value();
  if (meta.beingDeleted()) return Unfit::beingDeleted;
  if (!host.status.errorMessage.empty()) return Unfit::hasError;
  if (hasConsumer && wish.nodeReuse.empty()) return Unfit::inUse;
  const std::string* reuse = meta.label(keys.nodeReuse);
  if (!reuse && hasConsumer) return Unfit::inUse;
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

const BareMetalHost* drawn(const Hosts& hosts, const Metal3Machine& machine) {
  const auto& meta = machine.metadata;
  return hosts[hashOf(meta.uid.empty() ? meta.name : meta.uid) % hosts.size()];
}

Hosts inDomain(const Hosts& hosts, const std::string& domain, const Keys& keys) {
  Hosts out;
  std::ranges::copy_if(hosts, std::back_inserter(out), [&](const BareMetalHost* host) {
    const auto* value = host->metadata.label(keys.failureDomain);
    return value && *value == domain;
  });
  return out;
}

void refuseAll(HostChoice& choice, const Hosts& hosts, const Hosts& drawnFrom) {
  const bool narrowed = drawnFrom.size() != hosts.size();
  std::size_t next = 0;  // both lists are in the same order
  for (const auto* host : hosts) {
    const bool eligible = next < drawnFrom.size() && drawnFrom[next] == host;
    if (eligible) ++next;
    if (host != choice.host)
      choice.refused.push_back({host, eligible || !narrowed ? Unfit::notDrawn : Unfit::otherDomain});
  }
}

void chooseAvailable(HostChoice& choice, const Hosts& available, const HostWish& wish, const Keys& keys) {
  const std::string& domain = wish.machine.spec.failureDomain;
  Hosts narrowed;
  if (!domain.empty()) {
    checkRequirement(keys.failureDomain, "=", {domain});
    narrowed = inDomain(available, domain, keys);
  }
  if (available.empty()) return;
  const Hosts& drawnFrom = narrowed.empty() ? available : narrowed;
  choice.host = drawn(drawnFrom, wish.machine);
  refuseAll(choice, available, drawnFrom);
}

// The last one that is ready, but none while another is not: it is being made ready for us.
void chooseKept(HostChoice& choice, const Hosts& kept) {
  const auto busy = std::ranges::find_if_not(kept, [](const BareMetalHost* host) { return isReady(*host); });
  if (busy != kept.end()) {
    choice.awaited = *busy;
  } else {
    choice.host = kept.back();
    choice.forReuse = true;
  }
  for (const auto* host : kept)
    if (host != choice.host) choice.refused.push_back({host, isReady(*host) ? Unfit::notDrawn : Unfit::notAvailable});
}

}  // namespace

std::string_view reasonText(Unfit unfit) { return kReasons.at(static_cast<std::size_t>(unfit)); }

bool isConsumer(const BareMetalHost& host, const Metal3Machine& machine) {
  const auto& ref = host.spec.consumerRef;
  return ref && ref->name == machine.metadata.name && ref->namespace_ == machine.metadata.namespace_ &&
         ref->kind == Metal3Machine::info.kind && groupOf(ref->apiVersion) == api::capm3::kGroup;
}

HostChoice chooseHost(std::span<const BareMetalHost* const> hosts, const HostWish& wish) {
  static const Keys keys;
  HostChoice choice;
  Hosts kept, available;
  choice.refused.reserve(hosts.size());
  for (const auto* host : hosts) {
    const auto& meta = host->metadata;
    const bool elsewhere = meta.namespace_ != wish.machine.metadata.namespace_;
    if (!elsewhere && isConsumer(*host, wish.machine) && wish.selector.matches(meta.labels))
      return {.host = host, .forReuse = false, .awaited = nullptr, .refused = std::move(choice.refused)};
    const auto unfit = elsewhere ? std::optional(Unfit::otherNamespace) : unfitness(*host, wish, keys);
    if (unfit)
      choice.refused.push_back({host, *unfit});
    else
      (!wish.nodeReuse.empty() && meta.label(keys.nodeReuse) ? kept : available).push_back(host);
  }
  if (kept.empty()) {
    chooseAvailable(choice, available, wish, keys);
    return choice;
  }
  chooseKept(choice, kept);
  for (const auto* host : available) choice.refused.push_back({host, Unfit::notDrawn});
  return choice;
}

std::string nodeReuseName(const api::capi::Machine& machine, const api::capi::MachineSet* set) {
  const auto ownerOf = [](const kube::ObjectMeta& meta, auto matches) -> const kube::OwnerReference* {
    const auto at = std::ranges::find_if(meta.ownerReferences, matches);
    return at == meta.ownerReferences.end() ? nullptr : &*at;
  };
  if (machine.metadata.label(std::string(label::controlPlane))) {
    const auto* plane = ownerOf(machine.metadata, [](const kube::OwnerReference& owner) {
      return groupOf(owner.apiVersion) == "controlplane.cluster.x-k8s.io";
    });
    return plane ? "cp-" + plane->name : "";
  }
  const auto isKind = [](std::string_view kind) {
    return [kind](const kube::OwnerReference& owner) {
      return owner.kind == kind && groupOf(owner.apiVersion) == "cluster.x-k8s.io";
    };
  };
  const auto* owner = ownerOf(machine.metadata, isKind("MachineSet"));
  if (!owner || !set || owner->name != set->metadata.name) return "";
  if (!owner->uid.empty() && owner->uid != set->metadata.uid) return "";
  const auto* deployment = ownerOf(set->metadata, isKind("MachineDeployment"));
  return deployment ? "md-" + deployment->name : "";
}

}  // namespace ingot::coordinator::machine
