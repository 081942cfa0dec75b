#include "coordinator/ipam/pools.hpp"

#include "api/ipam/names.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

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

Pools::Why Pools::whyNot(const api::ipam::IPPool& pool) const {
  const std::string name = pool.metadata.key().text();
  switch (gateOf(pool, clusterFor(pool).get())) {
    case Gate::waitsForCluster:
      return {fmt::format("pool {} waits for Cluster {}, which does not exist", name, clusterOf(pool)->name), true};
    case Gate::paused: return {fmt::format("pool {} is paused, by itself or by its Cluster", name)};
    case Gate::open: break;
  }
  if (pool.metadata.beingDeleted()) return {fmt::format("pool {} is being deleted", name), true};
  return {fmt::format("pool {} is not taken into service yet", name)};
}

}  // namespace ingot::coordinator::ipam
