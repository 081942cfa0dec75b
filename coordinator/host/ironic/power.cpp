#include "coordinator/host/ironic/power.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::PowerTarget;
using ironic::State;
using ironic::Verb;

PowerPlan justPlan(Plan plan) { return {std::move(plan), {}}; }

// Manual cleaning comes back to manageable, automated cleaning goes on to available. (Older servers said "clean".)
bool isManualCleaning(const ironic::Node& node) {
  const std::string& target = node.targetProvisionState.text();
  return target == "manageable" || target == "clean";
}

// Inspection and cleaning use the machine: end them, or wait until they have ended. nullopt: nothing is in the way.
std::optional<Plan> planClearing(const ironic::Node& node, bool cleaningDisabled) {
  switch (node.state()) {
    case State::inspectWait: return Plan::send(Verb::abort);
    case State::inspecting:
    case State::cleaning: return Plan::wait(Pause::extended);
    case State::inspectFailed:
      if (node.hasTarget()) return Plan::send(Verb::manage);  // power may not change while a target is set
      return std::nullopt;
    case State::cleanWait:
      if (isManualCleaning(node) || cleaningDisabled) return Plan::send(Verb::abort);
      return Plan::wait(Pause::extended);
    case State::cleanFailed:
    case State::adoptFailed:
      if (node.maintenance) return Plan::just(Plan::Kind::clearMaintenance);  // its fault goes with it
      if (node.hasTarget()) return Plan::send(Verb::manage);
      return std::nullopt;
    default: return std::nullopt;
  }
}

// A failure that keeps its target, and that only the work it belongs to leads out of.
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

// last_error belongs to whatever went wrong last; that an operation was aborted is no reason against power.
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

struct Tried {
  Sent sent;
  bool unsupported = false;
  std::string reason;
};

base::Task<Tried> tryTarget(Session& session, NodePtr node, PowerTarget target) {
  Tried out;
  try {
    out.sent = co_await session.changePower(node, target);
  } catch (const ironic::Error& error) {
    out.unsupported = true;
    out.reason = error.what();
  }
  co_return out;
}

base::Task<Result> change(Session& session, NodePtr node, std::vector<PowerTarget> targets) {
  Tried tried;
  for (const PowerTarget target : targets) {
    tried = co_await tryTarget(session, node, target);
    if (tried.unsupported) continue;
    if (tried.sent.accepted && !eventText(target).empty())
      session.event(std::string(eventReason(target)), std::string(eventText(target)));
    co_return tried.sent.result;
  }
  throw ProvisionerError(ProvisionerError::Code::transient, "failed to soft power off node: " + tried.reason);
}

base::Task<Result> carryOut(Session& session, NodePtr node, PowerPlan plan) {
  if (!plan.targets.empty()) co_return co_await change(session, node, std::move(plan.targets));
  const Sent sent = co_await session.carryOut(std::move(plan.plan), node);
  co_return sent.result;
}

}  // namespace

PowerPlan planPowerOn(const ironic::Node& node, bool force) {
  if (node.powerState == "power on") return justPlan(Plan::complete());
  if (node.targetPowerState == "power on") return justPlan(Plan::wait(Pause::brief));
  if (!node.lastError.empty() && !force)
    return justPlan(Plan::fail(fmt::format("PowerOn operation failed: {}", node.lastError)));
  return {{}, {PowerTarget::on}};
}

PowerPlan planPowerOff(const ironic::Node& node, PowerOffFlags flags) {
  if (auto clearing = planClearing(node, flags.cleaningDisabled)) return justPlan(std::move(*clearing));
  if (node.powerState == "power off") return justPlan(Plan::complete());
  if (goingOff(node)) return justPlan(Plan::wait(Pause::brief));
  if (isStranded(node)) {  // Ironic would put the request off for ever
    return justPlan(Plan::fail(
        fmt::format("Ironic does not switch a node in state \"{}\": {}", node.provisionState.text(), node.lastError)));
  }
  if (failedBefore(node) && !flags.force) return justPlan(Plan::fail(node.lastError));

  const bool neverOff = node.disablePowerOff || flags.neverOff;
  const PowerTarget hard = neverOff ? PowerTarget::reboot : PowerTarget::off;
  const PowerTarget soft = neverOff ? PowerTarget::softReboot : PowerTarget::softOff;
  if (flags.mode == RebootMode::soft && !flags.force) return {{}, {soft, hard}};
  return {{}, {hard}};
}

base::Task<Result> powerOn(Session& session, bool force) {
  const NodePtr node = co_await session.node();
  co_return co_await carryOut(session, node, planPowerOn(*node, force));
}

base::Task<Result> endWork(Session& session, bool cleaningDisabled) {
  const NodePtr node = co_await session.node();
  auto clearing = planClearing(*node, cleaningDisabled);
  if (!clearing) co_return Result::complete();
  const Sent sent = co_await session.carryOut(std::move(*clearing), node);
  co_return sent.result;
}

base::Task<Result> powerOff(Session& session, PowerOffFlags flags) {
  const NodePtr node = co_await session.node();
  co_return co_await carryOut(session, node, planPowerOff(*node, flags));
}

}  // namespace ingot::coordinator::host::ironic_backend
