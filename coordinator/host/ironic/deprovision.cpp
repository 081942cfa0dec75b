#include "coordinator/host/ironic/operations.hpp"

#include "coordinator/host/ironic/access.hpp"
#include "coordinator/host/ironic/history.hpp"
#include "coordinator/host/ironic/ownership.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;
using ironic::Verb;

base::Task<Progress> tearDown(Session& session, NodePtr node, std::string message) {
  const Working sent = co_await session.changeState(node, {.verb = Verb::undeploy});
  if (sent.started) session.event("DeprovisioningStarted", std::move(message));
  co_return sent;
}

// Ironic takes no request for a node whose power it has lost, and looks for it again every few minutes.
bool asksInVain(const ironic::Node& node, const DeprovisioningPlan& plan) {
  const bool asks = std::holds_alternative<TearDown>(plan) || std::holds_alternative<RestartTearDown>(plan) ||
                    std::holds_alternative<Send>(plan) || std::holds_alternative<ClearMaintenance>(plan) ||
                    std::holds_alternative<SwitchOff>(plan);
  return asks && node.fault == "power failure";
}

bool isLentToBoot(const ironic::Node& node) { return node.maintenance && node.maintenanceReason == lentToBootReason; }

// Whether Ironic cleans afterwards is decided by the record at the time of the request. That an agent is to erase the
// disks in its place is kept beside it. nullopt: the record says so. A loan ends before its mark goes, by which an
// operator's maintenance that begins meanwhile is told from one that is ended as ever.
base::Task<std::optional<Progress>> syncCleaning(Session& session, NodePtr node, DeprovisionData data) {
  if (isLentToBoot(*node)) co_return Progress(co_await session.clearMaintenance(node));
  ironic::NodePatch patch(*node);
  patch.set("", "automated_clean", data.automatedCleaningMode != "disabled" && !data.erasedElsewhere);
  patch.set("extra", owedMark, data.erasedElsewhere ? json::Value(true) : json::Value());
  setBootPhase(patch, BootPhase::none);
  if (patch.empty()) co_return std::nullopt;
  if (node->state() == State::deployWait)  // in which no record is changed
    co_return Progress(co_await session.changeState(node, {.verb = Verb::abort}));
  const Updated updated = co_await session.update(node, patch);
  if (!updated) co_return Progress(updated.error());
  if (owesEjection(*node) && !emptiesDrives(node->bootInterface))
    session.event(
        "LiveISOMayStay",
        fmt::format("boot interface {} of node {} takes nothing out of virtual drives, and no agent was asked "
                    "to: what it has booted stays there until the next deployment",
                    node->bootInterface, node->uuid));
  co_return Progress(session.wait(Pause::none));
}

// Lent to boot, and without the mark that says so: somebody has changed the record.
bool isUnmarked(const ironic::Node& node) { return isLentToBoot(node) && bootPhaseOf(node) == BootPhase::none; }

// The agent is done, and Ironic has begun nothing: somebody who has his hands in the machine by now is waited for, by a
// deletion too.
bool waitsForOperator(const ironic::Node& node) {
  return bootPhaseOf(node) == BootPhase::ejected && isHeldByAnother(node);
}

Working waitForOperator(Session& session, const ironic::Node& node) {
  Working wait = session.wait(Pause::extended);
  wait.stall = whyHeld(node, "it is torn down");
  return wait;
}

base::Task<Progress> markPhase(Session& session, NodePtr node, BootPhase phase) {
  const Updated updated = co_await putBootPhase(session, node, phase);
  co_return updated ? Progress(session.wait(Pause::none)) : Progress(updated.error());
}

struct Deprovisioning : Operation<> {
  using Operation::operator();
  const DeprovisionData& data;

  base::Task<Progress> operator()(TearDown) const {
    if (auto wait = co_await syncCleaning(session, node, data)) co_return std::move(*wait);
    co_return co_await tearDown(session, node, "Image deprovisioning started");
  }
  base::Task<Progress> operator()(Send step) const {
    if (isUnmarked(*node)) co_return co_await markPhase(session, node, BootPhase::lent);
    if (step.verb == Verb::provide)
      if (auto wait = co_await syncCleaning(session, node, data)) co_return std::move(*wait);
    co_return co_await Operation::operator()(step);
  }
  base::Task<Progress> operator()(RestartTearDown) const {
    if (auto wait = co_await syncCleaning(session, node, data)) co_return std::move(*wait);
    co_return co_await tearDown(session, node, "Image deprovisioning restarted");
  }
  base::Task<Progress> operator()(GiveUpAdoption) const {
    session.event("LiveISOMayStay",
                  fmt::format("Ironic cannot adopt the node ({}), and no agent was asked to take the live ISO out of "
                              "the host's virtual drive: what is there stays until the next deployment",
                              errorOf(*node)));
    co_return co_await markPhase(session, node, BootPhase::ejected);
  }
  base::Task<Progress> operator()(SwitchOff) const {
    if (session.host().disablePowerOff) co_return co_await (*this)(Send{Verb::provide});
    co_return co_await session.changePower(node, ironic::PowerTarget::off);
  }
  base::Task<Progress> operator()(ReportTornDown) const {
    session.event("DeprovisioningComplete", "Image deprovisioning completed");
    co_return Done{};
  }
};

}  // namespace

Refused bmcLost(const ironic::Node& node) {
  return {fmt::format("Ironic has lost the BMC of node {} (power failure): {}", node.uuid,
                      node.lastError.empty() ? "it does not answer" : node.lastError),
          std::chrono::seconds(30)};
}

DeprovisioningPlan planDeprovisioning(const ironic::Node& node, bool restartOnFailure) {
  const auto phase = bootPhaseOf(node);
  switch (node.state()) {
    case State::error:
      if (restartOnFailure) return RestartTearDown{};
      return Fail{node.lastError.empty() ? "Deprovisioning failed" : node.lastError};
    case State::cleanFailed:
      if (!restartOnFailure) return Fail{fmt::format("Cleaning failed: {}", errorOf(node))};
      if (node.maintenance) return ClearMaintenance{};
      return Send{Verb::manage};
    case State::manageable:
      if (phase == BootPhase::ejected && !node.targetPowerState.empty()) return Wait{Pause::brief};
      if (phase == BootPhase::ejected && node.poweredOn() == std::optional(true)) return SwitchOff{};
      return Send{owesEjection(node) ? Verb::adopt : Verb::provide};
    // A live ISO that an agent booted may have written to the disks: they are cleaned on the way through manageable.
    case State::available:
      if (phase != BootPhase::none || isUnmarked(node)) return Send{Verb::manage};
      return ReportTornDown{};
    case State::adopting: return Wait{Pause::brief};
    case State::adoptFailed:
      if (owesEjection(node)) return GiveUpAdoption{};
      if (phase == BootPhase::ejected) return Send{Verb::manage};
      return GiveUp{fmt::format("unhandled ironic state {}", node.provisionState.text())};
    case State::deleting:
    case State::cleaning:
    case State::cleanWait:
    case State::deploying: return Wait{Pause::extended};
    case State::active:
    case State::deployFailed:
    case State::deployWait: return TearDown{};
    default: return GiveUp{fmt::format("unhandled ironic state {}", node.provisionState.text())};
  }
}

base::Task<Progress> deprovision(Session& session, DeprovisionData data) {
  const NodePtr node = co_await session.nodeWithReason();
  if (waitsForOperator(*node)) co_return waitForOperator(session, *node);
  const DeprovisioningPlan plan = planDeprovisioning(*node, data.restartOnFailure);
  if (asksInVain(*node, plan)) co_return bmcLost(*node);
  const Deprovisioning work{{session, node}, data};
  Progress progress = co_await std::visit(work, plan);
  // A tear-down switches the machine off and comes before the cleaning: nothing was done to the disks yet.
  if (auto* refused = std::get_if<Refused>(&progress)) refused->aboutReach = node->state() == State::error;
  co_return progress;
}

}  // namespace ingot::coordinator::host::ironic_backend
