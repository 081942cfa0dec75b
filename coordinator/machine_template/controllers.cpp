#include "coordinator/machine_template/controllers.hpp"

#include "api/capi/pause.hpp"

#include <set>

namespace ingot::coordinator::machine_template {
namespace {

using Keys = std::vector<kube::ObjectKey>;

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};

Keys templateKeys(const Metal3Machine& machine) {
  const auto key = templateOf(machine);
  return key ? Keys{*key} : Keys{};
}

Keys clusterKeys(const Metal3Machine& machine) {
  const auto key = clusterOf(machine);
  return key ? Keys{*key} : Keys{};
}

}  // namespace

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("machinetemplate")),
      caches_(world.caches),
      unseenClusters_(runtime_.clock, world.client, caches_.clusters),
      ofCluster_(caches_.metalMachines, clusterKeys),
      machinesOf_(caches_.metalMachines, templateKeys),
      events_(runtime_, world.client,
              {.component = "metal3-machinetemplate-controller",
               .reportingComponent = "metal3.io/machinetemplate-controller",
               .reportingInstance = "ingot-coordinator"}),
      reconciler_(runtime_, {world.client, caches_.machineTemplates, events_},
                  {.machines = caches_.metalMachines,
                   .machinesOf = machinesOf_,
                   .clusters = caches_.clusters,
                   .unseenClusters = unseenClusters_,
                   .watchFilter = std::move(world.watchFilter)}),
      controller_(runtime_,
                  {.name = "metal3machinetemplate",
                   .concurrency = world.tuning.concurrency.value_or(8),
                   .backoff = kBackoff,
                   .metrics = &world.page,
                   .syncPeriod = world.tuning.syncPeriod},
                  reconciler_) {
  controller_.watchMain<Metal3MachineTemplate>(caches_.machineTemplates);
  controller_.watch<api::capi::Cluster>(
      caches_.clusters, [this](const api::capi::Cluster& cluster) { return templatesOf(cluster); },
      api::capi::pausedOtherwise);
  controller_.watch<Metal3Machine>(
      caches_.metalMachines, [this](const Metal3Machine& machine) { return aheadOf(machine); },
      [](const Metal3Machine& before, const Metal3Machine& after) {
        return before.spec.automatedCleaningMode != after.spec.automatedCleaningMode ||
               before.metadata.annotations != after.metadata.annotations;
      });
}

// A pass looks at all machines of a template.
Keys Controllers::aheadOf(const Metal3Machine& machine) const {
  const auto key = templateOf(machine);
  const auto made = key ? caches_.machineTemplates.find(*key) : nullptr;
  if (!made) return {};
  const std::string& mode = made->spec.template_.spec.automatedCleaningMode;
  return mode.empty() || mode == machine.spec.automatedCleaningMode ? Keys{} : Keys{*key};
}

Keys Controllers::templatesOf(const api::capi::Cluster& cluster) const {
  std::set<kube::ObjectKey> templates;
  for (const auto& key : ofCluster_.find(cluster.metadata.key()))
    if (const auto machine = caches_.metalMachines.find(key))
      if (const auto made = templateOf(*machine)) templates.insert(*made);
  return {templates.begin(), templates.end()};
}

std::vector<kube::Managed> Controllers::managed() {
  return {{.name = "metal3machinetemplate",
           .caches = {&caches_.clusters, &caches_.machineTemplates, &caches_.metalMachines},
           .recorders = {&events_},
           .run = [this] { return controller_.run(); }}};
}

}  // namespace ingot::coordinator::machine_template
