#include "coordinator/host/ironic/deprovision.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;
using ironic::Verb;

base::Task<Result> tearDown(Session& session, NodePtr node, std::string message) {
  const Sent sent = co_await session.changeState(node, {.verb = Verb::undeploy});
  if (sent.accepted) session.event("DeprovisioningStarted", std::move(message));
  co_return sent.result;
}

// Whether Ironic cleans afterwards is decided by the record at the time of the request.
base::Task<Result> syncCleaningThenTearDown(Session& session, NodePtr node, bool clean) {
  if (node->automatedClean == clean) co_return co_await tearDown(session, node, "Image deprovisioning started");
  ironic::NodePatch patch(*node);
  patch.set("", "automated_clean", clean);
  const Updated updated = co_await session.update(node, patch);
  co_return updated.node ? session.wait(Pause::none) : updated.result;
}

}  // namespace

Plan planDeprovisioning(const ironic::Node& node, bool restartOnFailure) {
  switch (node.state()) {
    case State::error:
      if (restartOnFailure) return Plan::just(Plan::Kind::restartTearDown);
      return Plan::fail(node.lastError.empty() ? "Deprovisioning failed" : node.lastError);
    case State::cleanFailed:
      if (!restartOnFailure) return Plan::fail(fmt::format("Cleaning failed: {}", node.lastError));
      if (node.maintenance) return Plan::just(Plan::Kind::clearMaintenance);
      return Plan::send(Verb::manage);
    case State::manageable: return Plan::send(Verb::provide);
    case State::available: return Plan::just(Plan::Kind::reportTornDown);
    case State::deleting:
    case State::cleaning:
    case State::cleanWait:
    case State::deploying: return Plan::wait(Pause::extended);
    case State::active:
    case State::deployFailed:
    case State::deployWait: return Plan::just(Plan::Kind::tearDown);
    default: return Plan::giveUp(fmt::format("unhandled ironic state {}", node.provisionState.text()));
  }
}

base::Task<Result> deprovision(Session& session, bool restartOnFailure, std::string automatedCleaningMode) {
  const NodePtr node = co_await session.node();
  const Plan plan = planDeprovisioning(*node, restartOnFailure);
  if (plan.kind == Plan::Kind::tearDown)
    co_return co_await syncCleaningThenTearDown(session, node, automatedCleaningMode != "disabled");
  if (plan.kind == Plan::Kind::restartTearDown)
    co_return co_await tearDown(session, node, "Image deprovisioning restarted");
  if (plan.kind == Plan::Kind::reportTornDown) {
    session.event("DeprovisioningComplete", "Image deprovisioning completed");
    co_return Result::complete();
  }
  const Sent sent = co_await session.carryOut(plan, node);
  co_return sent.result;
}

}  // namespace ingot::coordinator::host::ironic_backend
