#include "coordinator/machine/controllers.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::machine {

namespace {

using Keys = std::vector<kube::ObjectKey>;

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(2)};

// Where Cluster API's kinds or these of ours are not installed there is nothing to do for them.
template <kube::Kind T>
kube::CacheOptions optionsFor(const ControllersWorld& world) {
  return {.namespaces = world.namespaces, .watcher = {.mayBeAbsent = true}, .unreadable = world.unreadable.of<T>()};
}

kube::CacheOptions filtered(const ControllersWorld& world) {
  auto options = optionsFor<Metal3Machine>(world);
  if (!world.watchFilter.empty())
    options.labelSelector = fmt::format("{}={}", api::capm3::label::watchFilter, world.watchFilter);
  return options;
}

Keys clusterNamedBy(const Metal3Machine& machine) {
  const std::string* name = machine.metadata.label(std::string(api::capm3::label::clusterName));
  return name == nullptr ? Keys{} : Keys{{machine.metadata.namespace_, *name}};
}

// The Metal3Machine that a Machine names.
Keys namedBy(const Machine& machine) {
  const auto& reference = machine.spec.infrastructureRef;
  if (reference.kind != Metal3Machine::info.kind || reference.apiGroup != Metal3Machine::info.group) return {};
  return {{machine.metadata.namespace_, reference.name}};
}

// The Metal3Machines that own a claim or its data.
template <class T>
Keys owningMachines(const T& object) {
  Keys keys;
  for (const auto& owner : object.metadata.ownerReferences)
    if (cluster::refersTo(owner, Metal3Machine::info)) keys.push_back({object.metadata.namespace_, owner.name});
  return keys;
}

Keys consumerNamedBy(const BareMetalHost& host) {
  const auto consumer = consumerOf(host);
  return consumer ? Keys{*consumer} : Keys{};
}

// Of a host in use only this makes a difference to its machine.
bool mattersToItsMachine(const BareMetalHost& before, const BareMetalHost& after) {
  const auto stateOf = [](const BareMetalHost& host) {
    return std::tie(host.status.provisioning.state, host.status.errorMessage, host.status.poweredOn);
  };
  return before.spec != after.spec || stateOf(before) != stateOf(after) ||
         before.metadata.labels != after.metadata.labels || before.metadata.annotations != after.metadata.annotations ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp ||
         before.status.hardware != after.status.hardware;
}

}  // namespace

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("machine")),
      world_(std::move(world)),
      metalMachines_(runtime_, world_.client.api(), filtered(world_)),
      machineSets_(runtime_, world_.client.api(), optionsFor<MachineSet>(world_)),
      templates_(runtime_, world_.client.api(), optionsFor<Metal3MachineTemplate>(world_)),
      ofCluster_(metalMachines_, clusterNamedBy),
      pool_(world_.hosts),
      hosts_(world_.client, world_.hosts, world_.secrets),
      events_(runtime_, world_.client,
              {.component = "metal3-machine-controller",
               .reportingComponent = "metal3.io/machine-controller",
               .reportingInstance = "ingot-coordinator"}),
      reconciler_(runtime_, {world_.client, metalMachines_, events_},
                  {.client = world_.client,
                   .clusters = world_.clusters,
                   .machines = world_.machines,
                   .metalClusters = world_.metalClusters,
                   .machineSets = machineSets_,
                   .templates = templates_,
                   .claims = world_.claims,
                   .data = world_.data,
                   .pool = pool_,
                   .hosts = hosts_,
                   .waiting = waiting_,
                   .nodes = world_.nodes,
                   .fastTrack = world_.fastTrack}),
      controller_(runtime_, {.name = "metal3machine", .concurrency = 10, .backoff = kBackoff, .metrics = &world_.page},
                  reconciler_) {
  watchAll();
}

void Controllers::watchAll() {
  const auto matters = [](const auto& before, const auto& after) { return mattersToMachines(before, after); };
  controller_.watchMain<Metal3Machine>(metalMachines_, matters);
  controller_.watch<Machine>(world_.machines, namedBy, matters);
  controller_.watch<Cluster>(
      world_.clusters, [this](const Cluster& cluster) { return ofCluster(cluster.metadata.key()); }, matters);
  controller_.watch<Metal3Cluster>(
      world_.metalClusters,
      [this](const Metal3Cluster& metal) {
        const std::string* name = metal.metadata.label(std::string(api::capm3::label::clusterName));
        return name == nullptr ? Keys{} : ofCluster({metal.metadata.namespace_, *name});
      },
      [](const Metal3Cluster& before, const Metal3Cluster& after) {
        return before.spec != after.spec || before.metadata.labels != after.metadata.labels;
      });
  controller_.watch<Metal3DataClaim>(world_.claims, owningMachines<Metal3DataClaim>);
  controller_.watch<Metal3Data>(world_.data, owningMachines<Metal3Data>);
  controller_.watch<BareMetalHost>(world_.hosts, consumerNamedBy, mattersToItsMachine);
  // They are looked at when a machine goes, and wake nobody; but nothing is decided before they are known.
  controller_.watch<MachineSet>(machineSets_, [](const MachineSet&) { return Keys{}; });
  controller_.watch<Metal3MachineTemplate>(templates_, [](const Metal3MachineTemplate&) { return Keys{}; });

  subscriptions_.push_back(pool_.onCandidate([this](const BareMetalHost& host) {
    if (const auto machine = waiting_.takeFor(host)) controller_.queue().add(*machine, kube::Priority::change);
  }));
  subscriptions_.push_back(world_.nodes.onChange([this](const kube::ObjectKey& cluster, const kube::Node* node) {
    for (const auto& machine : waiting_.concernedBy(cluster, node))
      controller_.queue().add(machine, kube::Priority::change);
  }));
  subscriptions_.push_back(world_.clusters.listen([this](const kube::Cache<Cluster>::Change& change) {
    if (!change.after) world_.nodes.forget(change.key);
  }));
}

Keys Controllers::ofCluster(const kube::ObjectKey& cluster) const { return ofCluster_.copy(cluster); }

std::vector<kube::Managed> Controllers::managed() {
  return {{.name = "metal3machine",
           .caches = {&world_.clusters, &world_.machines, &world_.metalClusters, &world_.claims, &world_.data,
                      &world_.hosts, &world_.secrets, &metalMachines_, &machineSets_, &templates_},
           .recorders = {&events_},
           .run = [this] { return controller_.run(); }}};
}

}  // namespace ingot::coordinator::machine
