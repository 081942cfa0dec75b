#include "coordinator/host/ironic/power.hpp"

#include "coordinator/host/ironic/history.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::PowerTarget;
using ironic::State;
using ironic::Verb;

// How long Ironic may work on a change that it has accepted, even on a shutdown that the operating system ignores.
constexpr base::Duration longestChange = std::chrono::minutes(5);

// Manual cleaning comes back to manageable, automated cleaning goes on to available. (Older servers said "clean".)
bool isManualCleaning(const ironic::Node& node) {
  const std::string& target = node.targetProvisionState.text();
  return target == "manageable" || target == "clean";
}

// Inspection and cleaning use the machine: end them, or wait until they have ended. nullopt: nothing is in the way.
std::optional<CommonStep> planClearing(const ironic::Node& node, bool cleaningDisabled) {
  switch (node.state()) {
    case State::inspectWait: return Send{Verb::abort};
    case State::inspecting:
    case State::cleaning: return Wait{Pause::extended};
    case State::inspectFailed:
      if (node.hasTarget()) return Send{Verb::manage};  // power may not change while a target is set
      return std::nullopt;
    case State::cleanWait:
      if (isManualCleaning(node) || cleaningDisabled) return Send{Verb::abort};
      return Wait{Pause::extended};
    case State::cleanFailed:
    case State::adoptFailed:
      if (node.maintenance) return ClearMaintenance{};  // its fault goes with it
      if (node.hasTarget()) return Send{Verb::manage};
      return std::nullopt;
    default: return std::nullopt;
  }
}

// A failure that keeps its target. Only the work that failed can lead the node out of it.
bool isStranded(const ironic::Node& node) {
  switch (node.state()) {
    case State::deployFailed:
    case State::error:
    case State::rescueFailed:
    case State::unrescueFailed:
    case State::serviceFailed: return node.hasTarget();
    default: return false;
  }
}

bool goingOff(const ironic::Node& node) {
  return node.targetPowerState == "power off" || node.targetPowerState == "soft power off";
}

// last_error tells what failed last, whatever it was. An operation that was aborted says nothing against a power
// change.
bool failedBefore(const ironic::Node& node) {
  return node.targetPowerState.empty() && !node.lastError.empty() &&
         node.lastError.find("aborted") == std::string::npos;
}

std::string_view eventReason(PowerTarget target) { return target == PowerTarget::on ? "PowerOn" : "PowerOff"; }

std::string_view eventText(PowerTarget target) {
  switch (target) {
    case PowerTarget::on: return "Host powered on";
    case PowerTarget::off: return "Host powered off";
    case PowerTarget::softOff: return "Host soft powered off";
    case PowerTarget::reboot:
    case PowerTarget::softReboot: return "";
  }
  return "";
}

// The answer to a request, or why this BMC does not support it.
using Tried = std::expected<Working, std::string>;

base::Task<Tried> tryTarget(Session& session, NodePtr node, PowerTarget target) {
  try {
    co_return co_await session.changePower(node, target);
  } catch (const ironic::Error& error) {
    co_return std::unexpected(std::string(error.what()));
  }
}

base::Task<Progress> change(Session& session, NodePtr node, std::vector<PowerTarget> targets) {
  std::string why;
  for (const PowerTarget target : targets) {
    const Tried tried = co_await tryTarget(session, node, target);
    if (!tried) {
      why = tried.error();
      continue;
    }
    if (tried->started && !eventText(target).empty())
      session.event(std::string(eventReason(target)), std::string(eventText(target)));
    co_return *tried;
  }
  throw ProvisionerError(ProvisionerError::Code::transient, "failed to soft power off node: " + why);
}

struct PowerChange : Operation<> {
  using Operation::operator();

  base::Task<Progress> operator()(ChangePower step) const { return change(session, node, std::move(step.targets)); }
};

}  // namespace

PowerPlan planPowerOn(const ironic::Node& node, PowerOn how) {
  if (node.powerState == "power on" && !how.despiteRecord) return Complete{};
  if (node.targetPowerState == "power on") return Wait{Pause::brief};
  if (!node.lastError.empty() && !how.force) return Fail{fmt::format("PowerOn operation failed: {}", node.lastError)};
  return ChangePower{{PowerTarget::on}};
}

PowerPlan planPowerOff(const ironic::Node& node, PowerOffFlags flags) {
  if (auto clearing = planClearing(node, flags.cleaningDisabled)) return widened<PowerPlan>(std::move(*clearing));
  if (node.powerState == "power off") return Complete{};
  if (goingOff(node)) return Wait{Pause::brief};
  if (isStranded(node)) {  // Ironic would put the request off for ever
    return Fail{
        fmt::format("Ironic does not switch a node in state \"{}\": {}", node.provisionState.text(), errorOf(node))};
  }
  if (failedBefore(node) && !flags.force) return Fail{node.lastError};

  const bool neverOff = node.disablePowerOff || flags.neverOff;
  const PowerTarget hard = neverOff ? PowerTarget::reboot : PowerTarget::off;
  const PowerTarget soft = neverOff ? PowerTarget::softReboot : PowerTarget::softOff;
  if (flags.mode == RebootMode::soft && !flags.force) return ChangePower{{soft, hard}};
  return ChangePower{{hard}};
}

std::string powerObstacle(const ironic::Node& node, const std::string& refusal, base::Duration waited) {
  const bool taken = !node.targetPowerState.empty();
  if (taken && waited < longestChange) return "";
  return obstacleOf(node, taken ? "" : refusal);
}

base::Task<Progress> powerOn(Session& session, PowerOn how) {
  const NodePtr node = co_await session.node();
  const PowerChange change{{session, node}};
  co_return co_await std::visit(change, planPowerOn(*node, how));
}

base::Task<Progress> endWork(Session& session, bool cleaningDisabled) {
  const NodePtr node = co_await session.node();
  auto clearing = planClearing(*node, cleaningDisabled);
  // Ironic takes no request for a node whose power it has lost: the power-off is tried as it is, and fails by itself.
  if (!clearing || node->fault == "power failure") co_return Done{};
  co_return widened<Progress>(co_await session.carryOut(std::move(*clearing), node));
}

base::Task<Progress> powerOff(Session& session, PowerOffFlags flags) {
  const NodePtr node = co_await session.node();
  const PowerChange change{{session, node}};
  co_return co_await std::visit(change, planPowerOff(*node, flags));
}

}  // namespace ingot::coordinator::host::ironic_backend
