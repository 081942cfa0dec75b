#include "coordinator/remediation/hand_over.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/conditions.hpp"

namespace ingot::coordinator::remediation {
namespace {

constexpr std::string_view kOwnerRemediated = "OwnerRemediated", kWaiting = "WaitingForRemediation";

}  // namespace

void markUnhealthy(api::BareMetalHost& host) {
  host.metadata.annotations.insert_or_assign(std::string(api::capm3::annotation::unhealthy), "capm3/UnhealthyNode");
}

void askForReplacement(api::capi::Machine& machine, base::WallTime now) {
  auto& status = machine.status;
  const auto* answered = kube::findCondition(status.conditions, kOwnerRemediated);
  if (answered == nullptr || answered->status != "False")
    kube::ConditionSetter(status.conditions, machine.metadata.generation, now)
        .setFalse(kOwnerRemediated, kWaiting, "Waiting for remediation");
  auto& legacy = status.deprecated.v1beta1.conditions;
  const auto old = std::ranges::find(legacy, kOwnerRemediated, &api::capi::LegacyCondition::type);
  if (old == legacy.end() || old->status != "False")
    cluster::setLegacyCondition(legacy,
                                {.type = std::string(kOwnerRemediated),
                                 .status = "False",
                                 .severity = "Warning",
                                 .lastTransitionTime = {},
                                 .reason = std::string(kWaiting),
                                 .message = {}},
                                now);
}

}  // namespace ingot::coordinator::remediation
