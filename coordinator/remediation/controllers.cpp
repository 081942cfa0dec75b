#include "coordinator/remediation/controllers.hpp"

#include "api/capi/pause.hpp"
#include "api/capm3/host_link.hpp"
#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/preconditions.hpp"
#include "coordinator/remediation/power_hold.hpp"

#include <algorithm>
#include <tuple>

namespace ingot::coordinator::remediation {

namespace {

using Keys = std::vector<kube::ObjectKey>;

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};

std::size_t workersOf(const kube::Tuning& tuning) { return tuning.concurrency.value_or(10); }

Keys machineOf(const Metal3Remediation& remediation) {
  const auto machine = machine::ownerOf(remediation.metadata);
  return machine ? Keys{*machine} : Keys{};
}

std::vector<std::string> uidOf(const Metal3Remediation& remediation) { return {remediation.metadata.uid}; }

// A change that is our own write makes no new pass.
bool mattersToItself(const Metal3Remediation& before, const Metal3Remediation& after) {
  const auto partsOf = [](const kube::ObjectMeta& metadata) {
    return std::tie(metadata.uid, metadata.deletionTimestamp, metadata.labels, metadata.ownerReferences);
  };
  return before.spec != after.spec || partsOf(before.metadata) != partsOf(after.metadata) ||
         api::capi::isPaused(before.metadata) != api::capi::isPaused(after.metadata);
}

}  // namespace

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("remediation")),
      caches_(world.caches),
      nodes_(world.nodes),
      unseenClusters_(runtime_.clock, world.client, caches_.clusters),
      remediations_(runtime_, world.client.api(),
                    {.namespaces = world.namespaces,
                     .watcher = {.mayBeAbsent = true},
                     .unreadable = world.unreadable.of<Metal3Remediation>()}),
      ofMachine_(remediations_, machineOf),
      byUid_(remediations_, uidOf),
      machineOfNode_(caches_.machines,
                     [](const Machine& machine) {
                       return std::vector<NodeOfCluster>{{clusterOf(machine), machine.status.nodeRef.name}};
                     }),
      heldOff_(caches_.hosts, holdersOf),
      hosts_(world.client, caches_.hosts, caches_.secrets),
      events_(runtime_, world.client,
              {.component = "metal3-remediation-controller",
               .reportingComponent = "metal3.io/remediation-controller",
               .reportingInstance = "ingot-coordinator"}),
      turns_(runtime_.clock, workersOf(world.tuning),
             [this](const kube::ObjectKey& remediation) { controller_.queue().add(remediation); }),
      newsPace_(runtime_.clock),
      reconciler_(runtime_, {world.client, remediations_, events_},
                  {.client = world.client,
                   .clusters = caches_.clusters,
                   .unseenClusters = unseenClusters_,
                   .machines = caches_.machines,
                   .metalMachines = caches_.metalMachines,
                   .heldOff = heldOff_,
                   .hosts = hosts_,
                   .nodes = nodes_,
                   .turns = turns_,
                   .watchFilter = std::move(world.watchFilter),
                   .readings = std::move(world.readings)}),
      controller_(runtime_,
                  {.name = "metal3remediation",
                   .concurrency = workersOf(world.tuning),
                   .backoff = kBackoff,
                   .metrics = &world.page,
                   .syncPeriod = world.tuning.syncPeriod},
                  reconciler_),
      strays_(runtime_, {.client = world.client,
                         .remediations = remediations_,
                         .machines = caches_.machines,
                         .metalMachines = caches_.metalMachines,
                         .byUid = byUid_,
                         .hosts = hosts_}),
      holds_(runtime_,
             {.name = "metal3remediation-holds", .concurrency = 2, .backoff = kBackoff, .metrics = &world.page},
             strays_) {
  watchAll();
  watchHolds();
}

void Controllers::watchAll() {
  const auto matters = [](const auto& before, const auto& after) { return mattersToRemediation(before, after); };
  controller_.watchMain<Metal3Remediation>(remediations_, mattersToItself);
  controller_.watch<Machine>(
      caches_.machines, [this](const Machine& machine) { return ofMachine_.copy(machine.metadata.key()); }, matters);
  controller_.watch<Cluster>(
      caches_.clusters, [this](const Cluster& cluster) { return ofCluster(cluster.metadata.key()); }, matters);
  controller_.watch<Metal3Machine>(
      caches_.metalMachines, [this](const Metal3Machine& metal) { return ofMetalMachine(metal); }, matters);
  controller_.watch<BareMetalHost>(caches_.hosts, [this](const BareMetalHost& host) { return ofHost(host); }, matters);
  hostNews_ = caches_.hosts.listen([this](const kube::Cache<BareMetalHost>::Change& change) {
    for (const auto& host : {change.before, change.after})
      if (host && isLeftAlone(*host)) reconciler_.forgetProof(*host);
  });
  nodeNews_ = nodes_.onChange([this](const kube::ObjectKey& cluster, const kube::Node* node) {
    for (const auto& key : node != nullptr ? ofNode(cluster, *node) : ofCluster(cluster))
      controller_.queue().add(key, kube::Priority::change, newsPace_.take(key));
  });
}

void Controllers::watchHolds() {
  holds_.watch<Metal3Remediation>(
      remediations_, [this](const Metal3Remediation& remediation) { return heldOff_.copy(remediation.metadata.uid); },
      [](const Metal3Remediation& before, const Metal3Remediation& after) {
        return before.metadata.uid != after.metadata.uid ||
               before.metadata.ownerReferences != after.metadata.ownerReferences;
      });
  holds_.watch<BareMetalHost>(
      caches_.hosts,
      [this](const BareMetalHost& host) { return strays_.strays(host).empty() ? Keys{} : Keys{host.metadata.key()}; },
      [](const BareMetalHost& before, const BareMetalHost& after) {
        return before.metadata.annotations != after.metadata.annotations ||
               before.spec.consumerRef != after.spec.consumerRef;
      });
  // Its host, if somebody keeps that one off.
  holds_.watch<Metal3Machine>(
      caches_.metalMachines,
      [this](const Metal3Machine& metal) {
        const auto host = api::capm3::linkedHostOf(metal.metadata);
        const auto seen = host ? caches_.hosts.find(*host) : nullptr;
        return seen && !holdersOf(*seen).empty() ? Keys{*host} : Keys{};
      },
      [](const Metal3Machine& before, const Metal3Machine& after) {
        return before.metadata.uid != after.metadata.uid ||
               before.metadata.ownerReferences != after.metadata.ownerReferences;
      });
}

Keys Controllers::ofCluster(const kube::ObjectKey& cluster) const {
  Keys keys;
  for (const auto& remediation : remediations_.all(cluster.namespace_)) {
    const auto owner = machine::ownerOf(remediation->metadata);
    const auto machine = owner ? caches_.machines.find(*owner) : nullptr;
    if (machine && clusterOf(*machine) == cluster) keys.push_back(remediation->metadata.key());
  }
  return keys;
}

Keys Controllers::ofNode(const kube::ObjectKey& cluster, const kube::Node& node) const {
  Keys keys;
  if (ofMachine_.empty()) return keys;
  for (const auto& machine : machineOfNode_.find({cluster, node.metadata.name}))
    std::ranges::move(ofMachine_.copy(machine), std::back_inserter(keys));
  return keys;
}

Keys Controllers::ofMetalMachine(const Metal3Machine& metal) const {
  const auto owner = machine::ownerOf(metal.metadata);
  return owner ? ofMachine_.copy(*owner) : Keys{};
}

Keys Controllers::ofHost(const BareMetalHost& host) const {
  Keys keys;
  for (const auto& uid : holdersOf(host))
    for (const auto& key : byUid_.find(uid)) keys.push_back(key);
  const auto consumer = machine::consumerOf(host);
  if (ofMachine_.empty() || !consumer) return keys;
  if (const auto metal = caches_.metalMachines.find(*consumer))
    std::ranges::move(ofMetalMachine(*metal), std::back_inserter(keys));
  return keys;
}

std::vector<kube::Managed> Controllers::managed() {
  kube::Managed holds{.name = "metal3remediation holds",
                      .caches = {&remediations_, &caches_.machines, &caches_.metalMachines, &caches_.hosts},
                      .recorders = {},
                      .run = [this] { return holds_.run(); }};
  return {{.name = "metal3remediation",
           .caches = {&remediations_, &caches_.clusters, &caches_.machines, &caches_.metalMachines, &caches_.hosts},
           .recorders = {&events_},
           .run = [this] { return controller_.run(); }},
          std::move(holds)};
}

}  // namespace ingot::coordinator::remediation
