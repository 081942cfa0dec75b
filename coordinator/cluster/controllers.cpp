#include "coordinator/cluster/controllers.hpp"

#include "api/capm3/names.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::cluster {
namespace {

using Keys = std::vector<kube::ObjectKey>;

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};

// Where Cluster API's kinds or these of ours are not installed there is nothing to do for them.
template <kube::Kind T>
kube::CacheOptions optionsFor(const ControllersWorld& world) {
  return {.namespaces = world.namespaces, .watcher = {.mayBeAbsent = true}, .unreadable = world.unreadable.of<T>()};
}

kube::CacheOptions filtered(const ControllersWorld& world) {
  auto options = optionsFor<Metal3Cluster>(world);
  if (!world.watchFilter.empty())
    options.labelSelector = fmt::format("{}={}", api::capm3::label::watchFilter, world.watchFilter);
  return options;
}

Keys clusterNamedBy(const Machine& machine) { return {{machine.metadata.namespace_, machine.spec.clusterName}}; }

Keys clusterNamedByMetal(const Metal3Cluster& metal) {
  const auto cluster = clusterOf(metal);
  return cluster ? Keys{*cluster} : Keys{};
}

}  // namespace

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("cluster")),
      clusters_(world.clusters),
      machines_(runtime_, world.client.api(), optionsFor<Machine>(world)),
      metalClusters_(runtime_, world.client.api(), filtered(world)),
      machinesOf_(machines_, clusterNamedBy),
      metalClustersOf_(metalClusters_, clusterNamedByMetal),
      events_(runtime_, world.client,
              {.component = "metal3-cluster-controller",
               .reportingComponent = "metal3.io/cluster-controller",
               .reportingInstance = "ingot-coordinator"}),
      reconciler_(runtime_, {world.client, metalClusters_, events_},
                  {.clusters = clusters_, .machines = machines_, .machinesOf = machinesOf_}),
      controller_(runtime_, {.name = "metal3cluster", .concurrency = 10, .backoff = kBackoff, .metrics = &world.page},
                  reconciler_) {
  controller_.watchMain<Metal3Cluster>(metalClusters_, mattersToCluster);
  controller_.watch<Cluster>(
      clusters_, [this](const Cluster& cluster) { return metalClustersOf_.copy(cluster.metadata.key()); },
      api::capi::pausedOtherwise);
  controller_.watch<Machine>(
      machines_, [this](const Machine& machine) { return leavingWith(machine); },
      [](const Machine&, const Machine&) { return false; });
}

// A Machine that goes may be what a deletion waits for; to all others it makes no difference.
Keys Controllers::leavingWith(const Machine& machine) const {
  Keys keys;
  for (const auto& key : metalClustersOf_.find(clusterNamedBy(machine).front()))
    if (const auto metal = metalClusters_.find(key); metal && metal->metadata.beingDeleted()) keys.push_back(key);
  return keys;
}

std::vector<kube::Managed> Controllers::managed() {
  return {{.name = "metal3cluster",
           .caches = {&clusters_, &machines_, &metalClusters_},
           .recorders = {&events_},
           .run = [this] { return controller_.run(); }}};
}

}  // namespace ingot::coordinator::cluster
