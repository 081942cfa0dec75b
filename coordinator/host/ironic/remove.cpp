#include "coordinator/host/ironic/remove.hpp"

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;

constexpr std::string_view maintenanceReason = "forcing deletion in baremetal-operator";  // as existing tools know it

base::Task<NodePtr> nodeIfAny(Session& session) {
  try {
    co_return co_await session.node();
  } catch (const ProvisionerError& error) {
    if (error.code() != ProvisionerError::Code::needsRegistration) throw;
  }
  co_return nullptr;
}

base::Task<Result> release(Session& session, NodePtr node) {
  ironic::NodePatch patch(*node);
  patch.set("", "instance_uuid", nullptr);
  const Updated updated = co_await session.update(node, patch);
  if (!updated.node) co_return updated.result;
  co_return co_await session.deleteNode(updated.node);
}

}  // namespace

Plan planRemoval(const ironic::Node& node) {
  switch (node.state()) {
    case State::verifying: return Plan::wait(Pause::brief);
    case State::enroll: return Plan::just(Plan::Kind::deleteNode);
    case State::available:
    case State::manageable: return Plan::just(node.instanceUuid.empty() ? Plan::Kind::deleteNode : Plan::Kind::release);
    case State::deploying:
    case State::cleaning:
    case State::inspecting:
    case State::servicing:
    case State::deleting:
    case State::deployWait:
    case State::inspectWait:
    case State::cleanWait:
    case State::serviceWait: return Plan::wait(Pause::extended);
    default:
      if (node.maintenance) return Plan::just(Plan::Kind::deleteNode);
      return {.kind = Plan::Kind::setMaintenance, .text = std::string(maintenanceReason)};
  }
}

base::Task<Result> remove(Session& session) {
  const NodePtr node = co_await nodeIfAny(session);
  if (!node) co_return Result::complete();
  const Plan plan = planRemoval(*node);
  if (plan.kind == Plan::Kind::deleteNode) co_return co_await session.deleteNode(node);
  if (plan.kind == Plan::Kind::release) co_return co_await release(session, node);
  const Sent sent = co_await session.carryOut(plan, node);
  co_return sent.result;
}

}  // namespace ingot::coordinator::host::ironic_backend
