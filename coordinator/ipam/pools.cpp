#include "coordinator/ipam/pools.hpp"

#include "api/ipam/names.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::ipam {

Pools::Pools(kube::Cache<api::ipam::IPPool>& pools, bool allPools, kube::Cache<api::capi::Cluster>& clusters)
    : pools_(pools), allPools_(allPools), clusters_(clusters), ofCluster_(pools, [](const api::ipam::IPPool& pool) {
        const auto cluster = clusterOf(pool);
        return cluster ? std::vector{*cluster} : std::vector<kube::ObjectKey>{};
      }) {}

std::shared_ptr<const api::capi::Cluster> Pools::clusterFor(const api::ipam::IPPool& pool) const {
  const auto key = clusterOf(pool);
  return key ? clusters_.find(*key) : nullptr;
}

Pools::Rest Pools::restOf(const std::optional<kube::ObjectKey>& cluster) const {
  if (!cluster) return Rest::no;
  if (clusters_.isUnreadable(*cluster)) return Rest::unknown;
  const auto found = clusters_.find(*cluster);
  return found && found->paused() ? Rest::paused : Rest::no;
}

bool Pools::isOpen(const api::ipam::IPPool& pool) const { return gateOf(pool, clusterFor(pool).get()) == Gate::open; }

bool Pools::gives(const api::ipam::IPPool& pool) const {
  return isOpen(pool) && !pool.metadata.beingDeleted() && kube::hasFinalizer(pool.metadata, api::ipam::finalizer::pool);
}

}  // namespace ingot::coordinator::ipam
