#include "coordinator/cluster/controllers.hpp"

#include "api/capi/pause.hpp"

namespace ingot::coordinator::cluster {
namespace {

using Keys = std::vector<kube::ObjectKey>;

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};

Keys clusterNamedBy(const Machine& machine) { return {{machine.metadata.namespace_, machine.spec.clusterName}}; }

Keys clusterNamedByMetal(const Metal3Cluster& metal) {
  const auto cluster = clusterOf(metal);
  return cluster ? Keys{*cluster} : Keys{};
}

}  // namespace

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("cluster")),
      caches_(world.caches),
      machinesOf_(caches_.machines, clusterNamedBy),
      metalClustersOf_(caches_.metalClusters, clusterNamedByMetal),
      unseenClusters_(runtime_.clock, world.client, caches_.clusters),
      events_(runtime_, world.client,
              {.component = "metal3-cluster-controller",
               .reportingComponent = "metal3.io/cluster-controller",
               .reportingInstance = "ingot-coordinator"}),
      reconciler_(runtime_, {world.client, caches_.metalClusters, events_},
                  {.clusters = caches_.clusters,
                   .unseenClusters = unseenClusters_,
                   .machines = caches_.machines,
                   .machinesOf = machinesOf_,
                   .watchFilter = std::move(world.watchFilter)}),
      controller_(runtime_,
                  {.name = "metal3cluster",
                   .concurrency = world.tuning.concurrency.value_or(10),
                   .backoff = kBackoff,
                   .metrics = &world.page,
                   .syncPeriod = world.tuning.syncPeriod},
                  reconciler_) {
  controller_.watchMain<Metal3Cluster>(caches_.metalClusters, mattersToCluster);
  controller_.watch<Cluster>(
      caches_.clusters, [this](const Cluster& cluster) { return metalClustersOf_.copy(cluster.metadata.key()); },
      api::capi::pausedOtherwise);
  controller_.watch<Machine>(
      caches_.machines, [this](const Machine& machine) { return leavingWith(machine); },
      [](const Machine&, const Machine&) { return false; });
}

// A Machine that goes may be what a deletion waits for; to all others it makes no difference.
Keys Controllers::leavingWith(const Machine& machine) const {
  Keys keys;
  for (const auto& key : metalClustersOf_.find(clusterNamedBy(machine).front()))
    if (const auto metal = caches_.metalClusters.find(key); metal && metal->metadata.beingDeleted())
      keys.push_back(key);
  return keys;
}

std::vector<kube::Managed> Controllers::managed() {
  return {{.name = "metal3cluster",
           .caches = {&caches_.clusters, &caches_.machines, &caches_.metalClusters},
           .recorders = {&events_},
           .run = [this] { return controller_.run(); }}};
}

}  // namespace ingot::coordinator::cluster
