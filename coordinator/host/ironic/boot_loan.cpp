#include "coordinator/host/ironic/history.hpp"
#include "coordinator/host/ironic/operations.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;
using ironic::Verb;

constexpr base::Duration recordMayTake = std::chrono::minutes(2);

struct Booting : Operation<BootLoan> {
  using Operation::operator();
  const Deployment& wanted;

  base::Task<BootLoan> operator()(Deploy) const {
    const auto ready = co_await setUp(session, node, wanted, BootPhase::lent);
    if (!ready) co_return widened<BootLoan>(ready.error());
    session.event("ProvisioningStarted",
                  fmt::format("Image provisioning started for {}: an agent boots it", wanted.image.url));
    co_return session.wait(Pause::none);
  }
  base::Task<BootLoan> operator()(LendToBoot) const { co_return co_await beginLoan(session, Loan::toBoot); }
  base::Task<BootLoan> operator()(LetBoot) const { co_return Lent{}; }
  base::Task<BootLoan> operator()(Wait step) const {
    const bool isHeld = isMarkedLent(*node) && node->state() == State::available;
    co_return isHeld ? session.waitWhileHeld(*node) : session.waitFor(*node, step.pause);
  }
  base::Task<BootLoan> operator()(WaitToLend) const {
    Working wait = session.wait(Pause::extended);
    wait.obstacle = whyNotLent(*node, Loan::toBoot);
    co_return wait;
  }
  base::Task<BootLoan> operator()(ReportDeployed) const {
    co_return widened<BootLoan>(co_await reportDeployed(session, node, wanted.image.url));
  }
};

// What is on record of an agent at work, as long as it is about the image that is wanted now.
BootPhase phaseFor(const ironic::Node& node, const api::Image& image) {
  return sameImage(node, image) ? bootPhaseOf(node) : BootPhase::none;
}

BootLoanPlan planAvailable(const ironic::Node& node, const Deployment& wanted) {
  const auto phase = phaseFor(node, wanted.image);
  if (!isMarkedLent(node) && !whyNotLent(node, Loan::toBoot).empty()) return WaitToLend{};
  if (phase == BootPhase::booted) return Send{Verb::manage};
  if (phase != BootPhase::lent) return Deploy{};
  if (!isMarkedLent(node)) return LendToBoot{};
  if (isLent(node)) return LetBoot{};
  if (node.fault.empty()) return Wait{Pause::brief};
  return WaitToLend{};
}

// The machine is lent but for a moment, or with this step: what its agent has done with it so far counts.
bool staysLent(const BootLoanPlan& plan, const ironic::Node& node) {
  return std::holds_alternative<LendToBoot>(plan) || (std::holds_alternative<Wait>(plan) && isMarkedLent(node));
}

// What the agent has proved is to be on Ironic's record before the machine is Ironic's again: its power sync would
// switch it back.
base::Task<Progress> noted(Session& session, BootPhase phase, bool on) {
  const NodePtr node = co_await session.node();
  if (node->poweredOn() != on || !node->targetPowerState.empty()) {
    Working wait = session.wait(Pause::brief);
    if (session.shared().stalls.note(*node, session.shared().runtime.clock.now()) > recordMayTake)
      wait.obstacle = fmt::format("Ironic does not take note that the machine of node {} is {}: does it reach its BMC?",
                                  node->uuid, on ? "on" : "off");
    co_return wait;
  }
  const Updated updated = co_await putBootPhase(session, node, phase);
  co_return updated ? Progress(Done{}) : Progress(updated.error());
}

}  // namespace

BootLoanPlan planBootLoan(const ironic::Node& node, const Deployment& wanted) {
  const bool isBooted = phaseFor(node, wanted.image) == BootPhase::booted;
  switch (node.state()) {
    case State::available: return planAvailable(node, wanted);
    case State::manageable:
      if (isHeldByAnother(node)) return WaitToLend{};
      return Send{isBooted ? Verb::adopt : Verb::provide};
    case State::adopting: return Wait{Pause::brief};
    case State::adoptFailed:
      if (isHeldByAnother(node)) return WaitToLend{};
      if (isBooted) return Fail{fmt::format("Host adoption failed: {}", errorOf(node))};
      return Wait{Pause::extended};
    case State::active:
      if (holdsOther(node, wanted.image))
        return Fail{fmt::format("node {} holds another image than {}", node.uuid, wanted.image.url)};
      if (isMarkedLent(node)) return ClearMaintenance{};
      return ReportDeployed{};
    case State::deployFailed: return Send{Verb::undeploy};  // Ironic has tried it; the agent begins with a free node
    case State::cleanFailed: return widened<BootLoanPlan>(planAfterCleaning(node, wanted));
    default: return Wait{Pause::extended};
  }
}

base::Task<BootLoan> lendToBoot(Session& session, ProvisionData data) {
  const NodePtr node = co_await session.nodeWithReason();
  const Deployment wanted = wantedOn(session, *node, data);
  const Booting work{{session, node}, wanted};
  const BootLoanPlan plan = planBootLoan(*node, wanted);
  BootLoan loan = co_await std::visit(work, plan);
  auto* wait = std::get_if<Working>(&loan);
  if (wait != nullptr && (!staysLent(plan, *node) || !wait->obstacle.empty())) co_return NotLent{std::move(*wait)};
  co_return loan;
}

base::Task<bool> isPastBoot(Session& session, api::Image image) {
  const NodePtr node = co_await session.node();
  co_return node->state() == State::active || phaseFor(*node, image) == BootPhase::booted;
}

base::Task<bool> leavesLentAsItIs(Session& session, std::optional<bool> provedOn) {
  const NodePtr node = co_await session.node();
  co_return leavesLentAsItIs(*node, provedOn);
}

base::Task<Progress> noteBooted(Session& session) {
  auto progress = co_await noted(session, BootPhase::booted, true);
  co_return std::holds_alternative<Done>(progress) ? Progress(session.wait(Pause::none)) : std::move(progress);
}

// A state that keeps its target cannot be lent in, and only what failed leads out of it: a tear-down, which ejects, or
// the way to manageable, in which the node can be lent.
base::Task<bool> owesEjection(Session& session) {
  const NodePtr node = co_await session.node();
  const bool hasFailed = node->state() == State::deployFailed || node->state() == State::cleanFailed;
  co_return owesEjection(*node) && (!hasFailed || isHeldByAnother(*node));
}

// The maintenance ends with Ironic's next step (Session::changeState).
base::Task<Progress> noteEjected(Session& session) { return noted(session, BootPhase::ejected, false); }

}  // namespace ingot::coordinator::host::ironic_backend
