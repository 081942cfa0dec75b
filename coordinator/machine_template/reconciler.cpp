#include "coordinator/machine_template/reconciler.hpp"

#include "api/capi/pause.hpp"
#include "api/capi/watch_filter.hpp"
#include "api/capm3/names.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/draft.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::machine_template {
namespace {

constexpr base::Duration kLookAgain = std::chrono::seconds(30);

}  // namespace

std::optional<kube::ObjectKey> clusterOf(const Metal3Machine& machine) {
  const std::string* name = machine.metadata.label(std::string(api::capm3::label::clusterName));
  if (name == nullptr) return std::nullopt;
  return kube::ObjectKey{machine.metadata.namespace_, *name};
}

std::optional<kube::ObjectKey> templateOf(const Metal3Machine& machine) {
  const std::string* name = machine.metadata.annotation(std::string(api::capm3::annotation::clonedFromName));
  const std::string* kind = machine.metadata.annotation(std::string(api::capm3::annotation::clonedFromGroupKind));
  static const std::string ours =
      fmt::format("{}.{}", Metal3MachineTemplate::info.kind, Metal3MachineTemplate::info.group);
  if (name == nullptr || kind == nullptr || *kind != ours) return std::nullopt;
  return kube::ObjectKey{machine.metadata.namespace_, *name};
}

TemplateReconciler::TemplateReconciler(base::Runtime runtime, kube::PassWorld<Metal3MachineTemplate> world,
                                       TemplateWorld templates)
    : ObjectReconciler(std::move(world)), runtime_(std::move(runtime)), templates_(std::move(templates)) {}

base::Task<kube::Next> TemplateReconciler::run(kube::Pass<Metal3MachineTemplate>& machineTemplate) {
  const auto& metadata = machineTemplate->metadata;
  if (!api::capi::passesWatchFilter(metadata, templates_.watchFilter)) co_return kube::Next::onChange();
  const std::string mode = machineTemplate->spec.template_.spec.automatedCleaningMode;
  if (api::capi::isPaused(metadata) || mode.empty()) co_return kube::Next::onChange();
  bool all = true, known = true;
  for (const auto& key : templates_.machinesOf.copy(metadata.key())) {
    const Outcome outcome = co_await setCleaning(key, mode);
    if (outcome == Outcome::failed) all = false;
    if (outcome == Outcome::later) known = false;
  }
  if (!all) co_return kube::Next::withBackoff();
  co_return known ? kube::Next::onChange() : kube::Next::after(kLookAgain);
}

// A Cluster that cannot be read may be paused, and nobody tells when that ends. One that no watch has shown yet may be
// paused for its move to here.
base::Task<TemplateReconciler::Rest> TemplateReconciler::restOf(kube::Cache<Metal3Machine>::Snapshot machine) {
  if (api::capi::isPaused(machine->metadata)) co_return Rest::paused;
  const auto key = clusterOf(*machine);
  if (!key) co_return Rest::no;
  if (templates_.clusters.isUnreadable(*key)) co_return Rest::unknown;
  if (const auto cluster = templates_.clusters.find(*key)) co_return cluster->paused() ? Rest::paused : Rest::no;
  co_return co_await templates_.unseenClusters.isPaused(key) ? Rest::unknown : Rest::no;
}

// One that cannot be written does not keep the mode from the others.
base::Task<TemplateReconciler::Outcome> TemplateReconciler::setCleaning(kube::ObjectKey machine, std::string mode) {
  const auto seen = templates_.machines.find(machine);
  if (!seen || seen->spec.automatedCleaningMode == mode) co_return Outcome::done;
  try {
    const Rest rest = co_await restOf(seen);
    if (rest != Rest::no) co_return rest == Rest::unknown ? Outcome::later : Outcome::done;
    kube::Draft<Metal3Machine> draft(seen);
    draft->spec.automatedCleaningMode = mode;
    static_cast<void>(co_await kube::save(world().client, draft, &templates_.machines));
  } catch (const kube::Error& error) {
    if (error.code() == kube::Error::Code::notFound) co_return Outcome::done;  // it has gone meanwhile
    runtime_.log.warn("a machine cannot take the cleaning mode of its template over",
                      {{"machine", machine.text()}, {"error", error.what()}});
    co_return Outcome::failed;
  }
  runtime_.log.info("took the cleaning mode over from the template",
                    {{"machine", machine.text()}, {"automatedCleaningMode", mode}});
  co_return Outcome::done;
}

}  // namespace ingot::coordinator::machine_template
