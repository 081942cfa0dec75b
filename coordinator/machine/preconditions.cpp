#include "coordinator/machine/preconditions.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/report.hpp"
#include "kube/runtime/finalizer.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

bool isTrue(const api::capi::Deprecated& deprecated, std::string_view type) {
  const auto& all = deprecated.v1beta1.conditions;
  const auto found = std::ranges::find(all, type, &api::capi::LegacyCondition::type);
  return found != all.end() && found->status == "True";
}

bool sameMetadata(kube::ObjectMeta before, const kube::ObjectMeta& after) {
  before.resourceVersion = after.resourceVersion;
  before.generation = after.generation;
  return before == after;
}

// Its link and our finalizer come and go with each host that a pass tries in vain, by our own writes.
kube::ObjectMeta withoutTries(kube::ObjectMeta metadata) {
  metadata.annotations.erase(std::string(api::capm3::annotation::host));
  kube::removeFinalizer(metadata, api::capm3::finalizer::machine);
  return metadata;
}

}  // namespace

std::optional<kube::ObjectKey> ownerOf(const kube::ObjectMeta& metadata) {
  const auto* owner = cluster::ownerOfKind(metadata, Machine::info);
  if (owner == nullptr) return std::nullopt;
  return kube::ObjectKey{metadata.namespace_, owner->name};
}

bool names(const Machine& owner, const Metal3Machine& machine) {
  const auto& reference = owner.spec.infrastructureRef;
  return reference.kind == Metal3Machine::info.kind && reference.apiGroup == Metal3Machine::info.group &&
         reference.name == machine.metadata.name;
}

std::optional<kube::ObjectKey> clusterOf(const Machine& owner) {
  const std::string* name = owner.metadata.label(std::string(api::capm3::label::clusterName));
  if (name == nullptr) return std::nullopt;
  return kube::ObjectKey{owner.metadata.namespace_, *name};
}

std::optional<kube::ObjectKey> metalClusterOf(const Cluster& cluster) {
  const auto& reference = cluster.spec.infrastructureRef;
  if (reference.kind != Metal3Cluster::info.kind || reference.apiGroup != Metal3Cluster::info.group)
    return std::nullopt;
  return kube::ObjectKey{cluster.metadata.namespace_, reference.name};
}

Missing missingFor(const Surroundings& around) {
  if (!around.owner) return Missing::owner;
  if (!around.cluster) return Missing::cluster;
  if (!hasInfrastructure(*around.cluster)) return Missing::infrastructure;
  return around.metalCluster ? Missing::nothing : Missing::metalCluster;
}

bool hasInfrastructure(const Cluster& cluster) {
  return cluster.status.initialization.infrastructureProvisioned.value_or(false) ||
         isTrue(cluster.status.deprecated, "InfrastructureReady");
}

bool isBootstrapReady(const Machine& owner) {
  const auto& bootstrap = owner.spec.bootstrap;
  if (!bootstrap.dataSecretName) return false;  // which user data the machine boots with is settled once
  return bootstrap.configRef.name.empty() || isTrue(owner.status.deprecated, "BootstrapReady") ||
         owner.status.initialization.bootstrapDataSecretCreated.value_or(false);
}

bool mattersToMachines(const Machine& before, const Machine& after) {
  return before.spec != after.spec || !sameMetadata(before.metadata, after.metadata) ||
         isBootstrapReady(before) != isBootstrapReady(after) || before.status.nodeRef != after.status.nodeRef;
}

bool mattersToMachines(const Cluster& before, const Cluster& after) {
  return before.spec != after.spec || !sameMetadata(before.metadata, after.metadata) ||
         hasInfrastructure(before) != hasInfrastructure(after);
}

bool mattersToMachines(const Metal3Machine& before, const Metal3Machine& after) {
  if (before.spec != after.spec) return true;
  if (wasAssociated(before) && wasAssociated(after)) return !sameMetadata(before.metadata, after.metadata);
  return !sameMetadata(withoutTries(before.metadata), withoutTries(after.metadata));
}

}  // namespace ingot::coordinator::machine
