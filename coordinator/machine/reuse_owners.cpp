#include "coordinator/machine/reuse_owners.hpp"

#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/host_choice.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

using Owners = std::vector<kube::ObjectKey>;

constexpr std::string_view kPlane = "cp-", kDeployment = "md-";

// Nobody knows all of them.
bool isHidden(const kube::CacheBase& cache, const std::string& namespace_) {
  return !cache.isSynced() || cache.unserved() || cache.anyUnreadableIn(namespace_);
}

Owners named(const kube::ObjectMeta& metadata, std::string_view form, const std::string& name) {
  return name.empty() ? Owners{} : Owners{{metadata.namespace_, std::string(form) + name}};
}

// Of whom there is something as long as this is there.
Owners reuseOwnersOf(const api::capi::Cluster& cluster) {
  return named(cluster.metadata, kPlane, cluster.spec.controlPlaneRef.name);
}

Owners reuseOwnersOf(const api::capi::Machine& machine) {
  const auto* plane = controlPlaneOf(machine);
  return plane == nullptr ? Owners{} : named(machine.metadata, kPlane, plane->name);
}

// A deployment has a MachineSet from its first moment on, also with no machine in it.
Owners reuseOwnersOf(const api::capi::MachineSet& set) {
  const auto* deployment = cluster::ownerOfKind(set.metadata, api::capi::MachineDeployment::info);
  return deployment == nullptr ? Owners{} : named(set.metadata, kDeployment, deployment->name);
}

}  // namespace

ReuseOwners::ReuseOwners(Clusters& clusters, Machines& machines, MachineSets& sets)
    : clusters_(clusters),
      machines_(machines),
      sets_(sets),
      planes_(clusters, [](const api::capi::Cluster& cluster) { return reuseOwnersOf(cluster); }),
      ofPlane_(machines, [](const api::capi::Machine& machine) { return reuseOwnersOf(machine); }),
      ofDeployment_(sets, [](const api::capi::MachineSet& set) { return reuseOwnersOf(set); }) {
  follow(clusters);
  follow(machines);
  follow(sets);
}

// The indexes were told first.
template <class T>
void ReuseOwners::follow(kube::Cache<T>& cache) {
  subscriptions_.push_back(cache.listen([this](const typename kube::Cache<T>::Change& change) {
    const Owners before = change.before ? reuseOwnersOf(*change.before) : Owners{};
    const Owners after = change.after ? reuseOwnersOf(*change.after) : Owners{};
    if (before == after) return;
    for (const auto& owner : before)
      if (countOf(owner) == 0) told_.tell(owner);
    for (const auto& owner : after)
      if (countOf(owner) == 1) told_.tell(owner);
  }));
}

std::size_t ReuseOwners::countOf(const kube::ObjectKey& owner) const {
  return planes_.find(owner).size() + ofPlane_.find(owner).size() + ofDeployment_.find(owner).size();
}

bool ReuseOwners::isAnyHidden(const std::string& namespace_) const {
  return isHidden(clusters_, namespace_) || isHidden(machines_, namespace_) || isHidden(sets_, namespace_);
}

bool ReuseOwners::isGone(const std::string& namespace_, const std::string& name) const {
  const bool isForm = name.starts_with(kPlane) || name.starts_with(kDeployment);
  if (!isForm || name.size() == kPlane.size() || isAnyHidden(namespace_)) return false;
  return countOf({namespace_, name}) == 0;
}

}  // namespace ingot::coordinator::machine
