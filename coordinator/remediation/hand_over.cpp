#include "coordinator/remediation/hand_over.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/conditions.hpp"

namespace ingot::coordinator::remediation {
namespace {

constexpr std::string_view kOwnerRemediated = "OwnerRemediated", kWaiting = "WaitingForRemediation";
constexpr std::string_view kUnhealthyNode = "capm3/UnhealthyNode";
const std::string kUnhealthy(api::capm3::annotation::unhealthy);
const std::string kMarkedHost = "ingot.dev/marked-host";

}  // namespace

void markUnhealthy(api::BareMetalHost& host) { host.metadata.annotations.try_emplace(kUnhealthy, kUnhealthyNode); }

bool isMarkedUnhealthy(const api::BareMetalHost& host) { return host.metadata.annotation(kUnhealthy) != nullptr; }

void unmark(api::BareMetalHost& host) {
  const std::string* mark = host.metadata.annotation(kUnhealthy);
  if (mark != nullptr && *mark == kUnhealthyNode) host.metadata.annotations.erase(kUnhealthy);
}

void recordMark(Metal3Remediation& remediation, const api::BareMetalHost& host) {
  remediation.metadata.annotations.insert_or_assign(kMarkedHost, host.metadata.name);
}

std::optional<kube::ObjectKey> recordedMark(const Metal3Remediation& remediation) {
  const std::string* name = remediation.metadata.annotation(kMarkedHost);
  if (name == nullptr) return std::nullopt;
  return kube::ObjectKey{remediation.metadata.namespace_, *name};
}

void dropMark(Metal3Remediation& remediation) { remediation.metadata.annotations.erase(kMarkedHost); }

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

bool isAskedToGo(const api::capi::Machine& machine) {
  const auto* asked = kube::findCondition(machine.status.conditions, kOwnerRemediated);
  return asked != nullptr && asked->status == "False";
}

}  // namespace ingot::coordinator::remediation
