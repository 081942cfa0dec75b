#include "coordinator/label_sync/controllers.hpp"

#include "api/capi/pause.hpp"
#include "api/capm3/host_link.hpp"
#include "coordinator/cluster/decision.hpp"
#include "coordinator/machine/preconditions.hpp"

namespace ingot::coordinator::label_sync {
namespace {

using api::BareMetalHost;
using api::capi::Cluster;
using api::capi::Machine;
using api::capm3::v1beta2::Metal3Cluster;
using api::capm3::v1beta2::Metal3Machine;
using Keys = std::vector<kube::ObjectKey>;

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};

std::size_t workersOf(const kube::Tuning& tuning) { return tuning.concurrency.value_or(8); }

Keys clusterKeys(const Machine& machine) {
  const auto key = machine::clusterOf(machine);
  return key ? Keys{*key} : Keys{};
}

Keys hostKeys(const Metal3Machine& metal) {
  const auto host = api::capm3::linkedHostOf(metal.metadata);
  return host ? Keys{*host} : Keys{};
}

}  // namespace

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("labels")),
      caches_(world.caches),
      nodes_(world.nodes),
      newsPace_(runtime_.clock),
      ofCluster_(caches_.machines, clusterKeys),
      ofNode_(caches_.machines,
              [](const Machine& machine) {
                const auto cluster = machine::clusterOf(machine);
                const std::string& node = machine.status.nodeRef.name;
                return cluster && !node.empty() ? std::vector{NodeKey{*cluster, node}} : std::vector<NodeKey>{};
              }),
      turns_(runtime_.clock, workersOf(world.tuning),
             [this](const kube::ObjectKey& host) { controller_.queue().add(host); }),
      events_(runtime_, world.client,
              {.component = "metal3-labelsync-controller",
               .reportingComponent = "metal3.io/labelsync-controller",
               .reportingInstance = "ingot-coordinator"}),
      reconciler_(runtime_, {caches_, nodes_, turns_, events_, std::move(world.watchFilter)}),
      controller_(runtime_,
                  {.name = "metal3labelsync",
                   .concurrency = workersOf(world.tuning),
                   .backoff = kBackoff,
                   .metrics = &world.page,
                   .syncPeriod = world.tuning.syncPeriod},
                  reconciler_) {
  watchAll();
}

void Controllers::watchAll() {
  controller_.watchMain<BareMetalHost>(caches_.hosts, [](const BareMetalHost& before, const BareMetalHost& after) {
    return before.metadata.labels != after.metadata.labels ||
           before.metadata.annotations != after.metadata.annotations ||
           before.spec.consumerRef != after.spec.consumerRef;
  });
  controller_.watch<Metal3Machine>(caches_.metalMachines, hostKeys,
                                   [](const Metal3Machine& before, const Metal3Machine& after) {
                                     return before.metadata.annotations != after.metadata.annotations ||
                                            before.metadata.ownerReferences != after.metadata.ownerReferences;
                                   });
  controller_.watch<Machine>(
      caches_.machines, [this](const Machine& machine) { return hostsOf(machine); },
      [](const Machine& before, const Machine& after) {
        return before.status.nodeRef.name != after.status.nodeRef.name ||
               before.metadata.labels != after.metadata.labels;
      });
  controller_.watch<Cluster>(
      caches_.clusters, [this](const Cluster& cluster) { return hostsOf(ofCluster_.find(cluster.metadata.key())); },
      [](const Cluster& before, const Cluster& after) {
        return api::capi::pausedOtherwise(before, after) || before.metadata.annotations != after.metadata.annotations;
      });
  controller_.watch<Metal3Cluster>(
      caches_.metalClusters,
      [this](const Metal3Cluster& metal) {
        const auto cluster = cluster::clusterOf(metal);
        return cluster ? hostsOf(ofCluster_.find(*cluster)) : Keys{};
      },
      [](const Metal3Cluster& before, const Metal3Cluster& after) {
        return before.metadata.annotations != after.metadata.annotations ||
               before.metadata.labels != after.metadata.labels;
      });
  subscriptions_.push_back(caches_.metalClusters.listen([this](const kube::Cache<Metal3Cluster>::Change& change) {
    if (!change.after) reconciler_.forget(change.key);
  }));
  subscriptions_.push_back(nodes_.onChange([this](const kube::ObjectKey& cluster, const kube::Node* node) {
    const auto& machines = node == nullptr ? ofCluster_.find(cluster) : ofNode_.find({cluster, node->metadata.name});
    for (const auto& host : hostsOf(machines))
      controller_.queue().add(host, kube::Priority::change, newsPace_.take(host));
  }));
}

Keys Controllers::hostsOf(const Machine& machine) const {
  const auto metal = caches_.metalMachines.find({machine.metadata.namespace_, machine.spec.infrastructureRef.name});
  return metal ? hostKeys(*metal) : Keys{};
}

Keys Controllers::hostsOf(const std::set<kube::ObjectKey>& machines) const {
  Keys hosts;
  for (const auto& key : machines)
    if (const auto machine = caches_.machines.find(key))
      for (auto& host : hostsOf(*machine)) hosts.push_back(std::move(host));
  return hosts;
}

std::vector<kube::Managed> Controllers::managed() {
  return {
      {.name = "metal3labelsync",
       .caches = {&caches_.hosts, &caches_.metalMachines, &caches_.machines, &caches_.clusters, &caches_.metalClusters},
       .recorders = {&events_},
       .run = [this] { return controller_.run(); }}};
}

}  // namespace ingot::coordinator::label_sync
