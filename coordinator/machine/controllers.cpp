#include "coordinator/machine/controllers.hpp"

#include "api/capm3/names.hpp"
#include "api/retry_request.hpp"
#include "coordinator/cluster/decision.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/preconditions.hpp"

namespace ingot::coordinator::machine {

namespace {

using Keys = std::vector<kube::ObjectKey>;

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(2)};

std::size_t workersOf(const kube::Tuning& tuning) { return tuning.concurrency.value_or(10); }

Keys clusterNamedBy(const Metal3Machine& machine) {
  const std::string* name = machine.metadata.label(std::string(api::capm3::label::clusterName));
  return name == nullptr ? Keys{} : Keys{{machine.metadata.namespace_, *name}};
}

Keys clusterOfMachine(const Machine& machine) {
  const auto key = clusterOf(machine);
  return key ? Keys{*key} : Keys{};
}

// By its owner, else by its label.
std::optional<kube::ObjectKey> clusterServedBy(const Metal3Cluster& metal) {
  if (auto owner = cluster::clusterOf(metal)) return owner;
  const std::string* name = metal.metadata.label(std::string(api::capm3::label::clusterName));
  return name == nullptr ? std::nullopt : std::optional(kube::ObjectKey{metal.metadata.namespace_, *name});
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

Keys ownerKeptFor(const BareMetalHost& host) {
  const std::string* owner = nodeReuseOf(host);
  return owner == nullptr ? Keys{} : Keys{{host.metadata.namespace_, *owner}};
}

// The Secret of its BMC, if a machine has it.
Keys credentialsInUse(const BareMetalHost& host) {
  if (host.spec.bmc.credentialsName.empty() || !consumerOf(host)) return {};
  return {{host.metadata.namespace_, host.spec.bmc.credentialsName}};
}

// What a machine reads of its claim and of its data.
template <class T>
bool isOtherwiseHeld(const T& before, const T& after) {
  return before.metadata.uid != after.metadata.uid ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp ||
         before.metadata.finalizers != after.metadata.finalizers ||
         before.metadata.ownerReferences != after.metadata.ownerReferences;
}

bool mattersToMachine(const Metal3DataClaim& before, const Metal3DataClaim& after) {
  return isOtherwiseHeld(before, after) || before.status.renderedData != after.status.renderedData ||
         before.status.errorMessage != after.status.errorMessage;
}

bool mattersToMachine(const Metal3Data& before, const Metal3Data& after) {
  return isOtherwiseHeld(before, after) || before.spec != after.spec || before.status.ready != after.status.ready ||
         before.status.errorMessage != after.status.errorMessage;
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
      caches_(world.caches),
      nodes_(world.nodes),
      ofCluster_(caches_.metalMachines, clusterNamedBy),
      machinesOf_(caches_.machines, clusterOfMachine),
      byInfrastructure_(caches_.machines, namedBy),
      byCredentials_(caches_.hosts, credentialsInUse),
      keptFor_(caches_.hosts, ownerKeptFor),
      pool_(caches_.hosts),
      reuseOwners_(caches_.clusters, caches_.machines, caches_.machineSets),
      turns_(runtime_.clock, workersOf(world.tuning), [this](const kube::ObjectKey& machine) { wake(machine); }),
      hosts_(world.client, caches_.hosts, caches_.secrets),
      events_(runtime_, world.client,
              {.component = "metal3-machine-controller",
               .reportingComponent = "metal3.io/machine-controller",
               .reportingInstance = "ingot-coordinator"}),
      reconciler_(runtime_, {world.client, caches_.metalMachines, events_},
                  {.client = world.client,
                   .clusters = caches_.clusters,
                   .machines = caches_.machines,
                   .byInfrastructure = byInfrastructure_,
                   .metalClusters = caches_.metalClusters,
                   .machineSets = caches_.machineSets,
                   .templates = caches_.machineTemplates,
                   .dataTemplates = caches_.dataTemplates,
                   .claims = caches_.dataClaims,
                   .data = caches_.data,
                   .pool = pool_,
                   .reuseOwners = reuseOwners_,
                   .hosts = hosts_,
                   .waiting = waiting_,
                   .nodes = nodes_,
                   .turns = turns_,
                   .wake = [this](const kube::ObjectKey& machine) { wake(machine); },
                   .fastTrack = world.fastTrack,
                   .carrying = world.carrying,
                   .watchFilter = std::move(world.watchFilter)}),
      controller_(runtime_,
                  {.name = "metal3machine",
                   .concurrency = workersOf(world.tuning),
                   .backoff = kBackoff,
                   .metrics = &world.page,
                   .syncPeriod = world.tuning.syncPeriod},
                  reconciler_),
      nodeNews_(runtime_, world.page, waiting_,
                [this](const kube::ObjectKey& machine, base::Duration after) {
                  controller_.queue().add(machine, kube::Priority::change, after);
                }),
      keptHosts_(runtime_, caches_.hosts, reuseOwners_, events_),
      kept_(runtime_, {.name = "metal3machine-kept-hosts", .concurrency = 1, .metrics = &world.page}, keptHosts_) {
  watchAll();
  wakeForHosts();
  watchKeptHosts();
}

void Controllers::watchAll() {
  const auto matters = [](const auto& before, const auto& after) { return mattersToMachines(before, after); };
  controller_.watchMain<Metal3Machine>(caches_.metalMachines, matters);
  controller_.watch<Machine>(caches_.machines, namedBy, matters);
  controller_.watch<Cluster>(
      caches_.clusters, [this](const Cluster& cluster) { return ofCluster(cluster.metadata.key()); }, matters);
  controller_.watch<Metal3Cluster>(
      caches_.metalClusters,
      [this](const Metal3Cluster& metal) {
        const auto key = clusterServedBy(metal);
        return key ? ofCluster(*key) : Keys{};
      },
      [](const Metal3Cluster& before, const Metal3Cluster& after) {
        return before.spec != after.spec || before.metadata.labels != after.metadata.labels;
      });
  const auto isNews = [](const auto& before, const auto& after) { return mattersToMachine(before, after); };
  controller_.watch<Metal3DataClaim>(caches_.dataClaims, owningMachines<Metal3DataClaim>, isNews);
  controller_.watch<Metal3Data>(caches_.data, owningMachines<Metal3Data>, isNews);
  controller_.watch<BareMetalHost>(caches_.hosts, consumerNamedBy, mattersToItsMachine);
  // One that is claimed waits for the Secret to be there; what it holds is nothing to its machine.
  controller_.watch<kube::Secret>(
      caches_.secrets, [this](const kube::Secret& secret) { return ofCredentials(secret.metadata.key()); },
      [](const kube::Secret&, const kube::Secret&) { return false; });
  // They are looked at when a machine goes, and wake nobody; but nothing is decided before they are known.
  controller_.watch<MachineSet>(caches_.machineSets, [](const MachineSet&) { return Keys{}; });
  controller_.watch<Metal3MachineTemplate>(caches_.machineTemplates,
                                           [](const Metal3MachineTemplate&) { return Keys{}; });

  subscriptions_.push_back(caches_.metalMachines.listen([this](const kube::Cache<Metal3Machine>::Change& change) {
    if (change.before && change.after && api::asksForRetry(change.before->metadata, change.after->metadata))
      controller_.queue().forget(change.key);
  }));
  subscriptions_.push_back(nodes_.onChange(
      [this](const kube::ObjectKey& cluster, const kube::Node* node) { nodeNews_.note(cluster, node); }));
}

void Controllers::wakeForHosts() {
  subscriptions_.push_back(pool_.onCandidate([this](const BareMetalHost& host) {
    if (!isForTheTaking(host)) return;
    if (const auto machine = waiting_.takeFor(host)) wake(*machine);
  }));
  // What kept several machines from every host is over for all of them at once, whichever one it was offered to.
  subscriptions_.push_back(caches_.hosts.listen([this](const kube::Cache<BareMetalHost>::Change& change) {
    if (!change.before || !isAwaited(*change.before)) return;
    const bool isSame = change.after && change.before->metadata.labels == change.after->metadata.labels;
    if (isSame && isAwaited(*change.after)) return;
    for (const auto& machine : waiting_.awaiting(change.key)) wake(machine);
  }));
}

void Controllers::watchKeptHosts() {
  kept_.watch<BareMetalHost>(
      caches_.hosts, [](const BareMetalHost& host) { return nodeReuseOf(host) ? Keys{host.metadata.key()} : Keys{}; },
      [](const BareMetalHost& before, const BareMetalHost& after) {
        return before.metadata.labels != after.metadata.labels || before.spec != after.spec ||
               before.metadata.deletionTimestamp != after.metadata.deletionTimestamp;
      });
  // They wake a host by its owner only, who may be one of thousands; but nothing is decided before they are known.
  kept_.watch<Cluster>(caches_.clusters, [](const Cluster&) { return Keys{}; });
  kept_.watch<Machine>(caches_.machines, [](const Machine&) { return Keys{}; });
  kept_.watch<MachineSet>(caches_.machineSets, [](const MachineSet&) { return Keys{}; });
  subscriptions_.push_back(reuseOwners_.onChange([this](const kube::ObjectKey& owner) {
    const auto hosts = keptFor_.copy(owner);
    if (!hosts.empty()) reconciler_.ownersChanged(owner.namespace_);
    for (const auto& host : hosts) kept_.queue().add(host);
  }));
}

void Controllers::wake(const kube::ObjectKey& machine) { controller_.queue().add(machine, kube::Priority::change); }

// By their own label, and through their Machines: those that somebody made by hand may not bear it.
Keys Controllers::ofCluster(const kube::ObjectKey& cluster) const {
  const auto& labelled = ofCluster_.find(cluster);
  Keys keys(labelled.begin(), labelled.end());
  for (const auto& key : machinesOf_.find(cluster))
    if (const auto machine = caches_.machines.find(key))
      for (auto& metal : namedBy(*machine))
        if (!labelled.contains(metal)) keys.push_back(std::move(metal));
  return keys;
}

Keys Controllers::ofCredentials(const kube::ObjectKey& secret) const {
  Keys keys;
  for (const auto& key : byCredentials_.find(secret))
    if (const auto host = caches_.hosts.find(key))
      for (auto& machine : consumerNamedBy(*host)) keys.push_back(std::move(machine));
  return keys;
}

std::vector<kube::Managed> Controllers::managed() {
  return {{.name = "metal3machine",
           .caches = {&caches_.clusters, &caches_.machines, &caches_.metalClusters, &caches_.dataClaims, &caches_.data,
                      &caches_.hosts, &caches_.secrets, &caches_.metalMachines, &caches_.machineSets,
                      &caches_.machineTemplates, &caches_.dataTemplates},
           .recorders = {&events_},
           .run = [this] { return controller_.run(); }},
          {.name = "metal3machine kept hosts",
           .caches = {&caches_.clusters, &caches_.machines, &caches_.machineSets, &caches_.hosts},
           .recorders = {},
           .run = [this] { return kept_.run(); }},
          {.name = "metal3machine nodes", .caches = {}, .recorders = {}, .run = [this] { return nodeNews_.run(); }}};
}

}  // namespace ingot::coordinator::machine
