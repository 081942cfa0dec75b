#include "coordinator/host/ironic/operations.hpp"
#include "coordinator/host/ironic/ownership.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

// A conductor holds a node for as long as a BMC lets it wait; one that has crashed holds it until it is started again.
constexpr base::Duration holdMayTake = std::chrono::minutes(10);

std::string_view doneOnceLent(Loan loan) {
  return loan == Loan::toErase ? "its disks are erased" : "its agent goes on with it";
}

std::string_view reasonFor(Loan loan) { return loan == Loan::toErase ? lentReason : lentToBootReason; }

// It is lent but for the moment. Drives may be being erased, which is waited for, by a deletion too; a boot or an
// ejection is for as long as Ironic may take to note a power. After that a deletion tries as with a BMC that is out of
// reach, for nothing was done to the disks yet: after a longer pause the hold would count as a new one (refusals.cpp).
Progress heldWhileLent(Session& session, const ironic::Node& node, Loan loan) {
  Working wait = session.waitWhileHeld(node);
  if (!node.fault.empty()) wait.obstacle = whyNotLent(node, loan);
  if (wait.obstacle.empty()) return wait;
  if (loan == Loan::toBoot) {
    const auto held = session.shared().refusals.lastsFor(node.uuid, session.shared().runtime.clock.now());
    if (node.fault.empty() && held < holdMayTake) return wait;
    return Refused{.message = std::move(wait.obstacle), .retryAfter = std::chrono::seconds(30), .aboutReach = true};
  }
  wait.stall = std::exchange(wait.obstacle, {});
  return wait;
}

}  // namespace

std::string whyHeld(const ironic::Node& node, std::string_view then) {
  return fmt::format("node {} is in maintenance in Ironic ({}): {} once that is ended", node.uuid,
                     node.maintenanceReason.empty() ? "no reason is given" : node.maintenanceReason, then);
}

std::string whyNotLent(const ironic::Node& node, Loan loan) {
  const auto then = doneOnceLent(loan);
  if (!node.fault.empty())
    return fmt::format("Ironic has lost the BMC of node {} ({}): {} once it is back", node.uuid, node.fault, then);
  if (node.maintenance) return whyHeld(node, then);
  if (ironicOwns(node)) return fmt::format("Ironic is at work on node {}: {} after that", node.uuid, then);
  return {};
}

bool isHeldByAnother(const ironic::Node& node) { return node.maintenance && node.fault.empty() && !isMarkedLent(node); }

base::Task<bool> owesErasure(Session& session) {
  const NodePtr node = co_await session.node();
  co_return owesErasure(*node);
}

base::Task<Working> beginLoan(Session& session, Loan loan) {
  const NodePtr node = co_await session.nodeNow();
  if (isMarkedLent(*node)) co_return session.wait(Pause::none);
  if (auto why = whyNotLent(*node, loan); !why.empty()) {
    Working wait = session.wait(Pause::extended);
    wait.obstacle = std::move(why);
    co_return wait;
  }
  co_return co_await session.setMaintenance(node, std::string(reasonFor(loan)));
}

base::Task<Progress> lend(Session& session, Loan loan) {
  const NodePtr node = co_await session.node();
  if (isLent(*node)) co_return Done{};
  if (loan == Loan::toBoot && node->fault == "power failure") co_return bmcLost(*node);
  if (node->state() == ironic::State::adoptFailed && !isHeldByAnother(*node))  // Ironic is to go no further
    co_return co_await session.changeState(node, {.verb = ironic::Verb::manage});
  if (isMarkedLent(*node)) co_return heldWhileLent(session, *node, loan);
  co_return co_await beginLoan(session, loan);
}

// Both in one step: a node that is not lent any more and still owes the erasure would be lent again.
base::Task<Progress> takeBack(Session& session) {
  const NodePtr node = co_await session.node();
  if (isMarkedLent(*node)) {
    const Working answer = co_await session.clearMaintenance(node);
    if (answer != Working{}) co_return answer;
  }
  ironic::NodePatch patch(*node);
  patch.set("extra", owedMark, json::Value());
  const Updated updated = co_await session.update(node, patch);
  co_return updated ? Progress(Done{}) : Progress(updated.error());
}

// By way of manageable: Ironic cleans a node that is provided from there (deprovision.cpp).
base::Task<Progress> cleanAfterAll(Session& session) {
  NodePtr node = co_await session.node();
  if (isMarkedLent(*node)) {
    const Working answer = co_await session.clearMaintenance(node);
    if (answer != Working{}) co_return answer;
    auto freed = std::make_shared<ironic::Node>(*node);
    freed->maintenance = false;
    node = std::move(freed);
  }
  co_return co_await session.changeState(node, {.verb = ironic::Verb::manage});
}

}  // namespace ingot::coordinator::host::ironic_backend
