#include "coordinator/machine/reuse_owners.hpp"

#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/host_choice.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

constexpr std::string_view kPlane = "cp-", kDeployment = "md-";

// Nobody knows all of them.
bool isHidden(const kube::CacheBase& cache, const std::string& namespace_) {
  return !cache.isSynced() || cache.unserved() || cache.anyUnreadableIn(namespace_);
}

}  // namespace

bool ReuseOwners::isGone(const std::string& namespace_, const std::string& name) const {
  const std::string_view owner = std::string_view(name).substr(std::min(name.size(), kPlane.size()));
  if (owner.empty() || isHidden(clusters_, namespace_) || isHidden(machines_, namespace_) ||
      isHidden(sets_, namespace_))
    return false;
  if (name.starts_with(kPlane)) return !isPlaneThere(namespace_, owner);
  if (name.starts_with(kDeployment)) return !isDeploymentThere(namespace_, owner);
  return false;
}

bool ReuseOwners::isPlaneThere(const std::string& namespace_, std::string_view plane) const {
  const auto hasIt = [&](const auto& cluster) { return cluster->spec.controlPlaneRef.name == plane; };
  if (std::ranges::any_of(clusters_.all(namespace_), hasIt)) return true;
  return std::ranges::any_of(machines_.all(namespace_), [&](const auto& machine) {
    const auto* owner = controlPlaneOf(*machine);
    return owner != nullptr && owner->name == plane;
  });
}

// A deployment has a MachineSet from its first moment on, also with no machine in it.
bool ReuseOwners::isDeploymentThere(const std::string& namespace_, std::string_view deployment) const {
  return std::ranges::any_of(sets_.all(namespace_), [&](const auto& set) {
    const auto* owner = cluster::ownerOfKind(set->metadata, api::capi::MachineDeployment::info);
    return owner != nullptr && owner->name == deployment;
  });
}

}  // namespace ingot::coordinator::machine
