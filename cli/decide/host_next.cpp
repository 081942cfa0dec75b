#include "cli/decide/host_next.hpp"

#include "cli/decide/host_facts.hpp"
#include "cli/words/power.hpp"
#include "kube/runtime/conditions.hpp"

namespace ingot::cli {
namespace {

using enum api::ProvisioningState;

std::string removal(std::string_view annotation) { return fmt::format("who set annotation {} removes it", annotation); }

// What stands in the way of every state; "": nothing.
std::string nextOfHeld(const api::BareMetalHost& host) {
  if (isAnnotated(host, api::annotation::deleteForMove) && host.metadata.beingDeleted())
    return "clusterctl takes its finalizers off; where the move was cut off, who moved it does";
  if (const auto* hold = api::findHold(host, api::kHolds))
    return restsForMove(*hold, host) ? "it works again when a Cluster of its namespace is not paused any more"
                                     : removal(hold->annotation);
  if (!host.status.errorType.empty())
    return fmt::format("mend what the error names; ingotctl retry host {} has it tried at once", host.metadata.name);
  if (host.status.operationalStatus == api::operational_status::delayed)
    return "it goes on as soon as another host is done";
  for (const auto& [name, value] : host.metadata.annotations)
    if (name.starts_with(api::annotation::rebootPrefix)) return removal(name);
  return "";
}

std::string nextOfPower(const api::BareMetalHost& host) {
  const auto power = powerOf(host);
  if (power.state == PowerKnowledge::State::unknown)
    return "its power is read again as soon as its BMC, or its agent, answers";
  const bool isOn = power.state == PowerKnowledge::State::on;
  const bool isSettled = power.state == PowerKnowledge::State::never || isOn == host.spec.online;
  return isSettled && !isAnnotated(host, api::annotation::reboot) ? "" : "the coordinator switches its power";
}

std::string nextOfAvailable(const api::BareMetalHost& host) {
  if (isInspectionAsked(host)) return "it is inspected";
  if (hasDeployment(host)) return host.spec.online ? "it is provisioned" : "it is provisioned once spec.online is true";
  if (const std::string owner = keptFor(host); !owner.empty()) return "the next machine of " + owner + " takes it";
  if (host.spec.consumerRef) return "its consumer tells it what to run";
  if (!unhealthyMarkOf(host).empty()) return "once it works again: ingotctl retry host " + host.metadata.name;
  const std::string power = nextOfPower(host);
  return power.empty() ? "whoever needs a host takes it" : power;
}

std::string nextOfSystem(const api::BareMetalHost& host) {
  if (runsWithdrawn(host))
    return hasDeployment(host) ? "it is deprovisioned, then provisioned with the other image" : "it is deprovisioned";
  const std::string power = nextOfPower(host);
  return power.empty() ? "nothing: it is what it should be" : power;
}

std::string nextOfState(const api::BareMetalHost& host) {
  switch (stateOf(host).value_or(none)) {
    case none:
    case unmanaged: return host.hasBmcDetails() ? "it is registered" : "it is registered once its BMC is known";
    case registering: return "its hardware is inspected";
    case inspecting:
    case matchProfile: return "it is prepared, and becomes available";
    case preparing: return "it becomes available";
    case available:
    case ready: return nextOfAvailable(host);
    case provisioning: return "it boots what was deployed";
    case provisioned:
    case externallyProvisioned: return nextOfSystem(host);
    case deprovisioning: return "it becomes available";
    case poweringOffBeforeDelete:
    case deleting: return "it is gone";
  }
  return "";
}

// The time at which the work of its state began.
std::optional<base::WallTime> workSince(const api::BareMetalHost& host) {
  using History = api::OperationHistory;
  constexpr std::pair<api::ProvisioningState, api::OperationMetric History::*> works[] = {
      {registering, &History::register_},
      {inspecting, &History::inspect},
      {provisioning, &History::provision},
      {deprovisioning, &History::deprovision}};
  for (const auto& [state, times] : works) {
    const auto& work = host.status.operationHistory.*times;
    if (stateOf(host) == state && !work.end) return work.start;
  }
  return std::nullopt;
}

std::optional<base::WallTime> openSince(const api::BareMetalHost& host, std::string_view type) {
  const auto* condition = kube::findCondition(host.status.conditions, type);
  if (condition == nullptr || condition->status == "True") return std::nullopt;
  return condition->lastTransitionTime;
}

}  // namespace

std::optional<base::WallTime> waitsSince(const api::BareMetalHost& host) {
  if (host.metadata.beingDeleted()) return host.metadata.deletionTimestamp;
  if (const auto work = workSince(host)) return work;
  if (const auto open = openSince(host, "Ready")) return open;
  return openSince(host, "PowerStateKnown");
}

std::string nextOf(const api::BareMetalHost& host) {
  if (const std::string held = nextOfHeld(host); !held.empty()) return held;
  return host.metadata.beingDeleted() ? "it is gone once it is deprovisioned and off" : nextOfState(host);
}

}  // namespace ingot::cli
