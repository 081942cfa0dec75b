#include "coordinator/host/ironic/remove.hpp"

#include "coordinator/host/ironic/find_host.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;

constexpr std::string_view maintenanceReason = "forcing deletion in baremetal-operator";  // as existing tools know it

base::Task<NodePtr> nodeById(Session& session) {
  try {
    NodePtr node = co_await session.node();
    co_return otherOwnerOf(session, *node).empty() ? std::move(node) : nullptr;  // that host's to remove
  } catch (const ProvisionerError& error) {
    if (error.code() != ProvisionerError::Code::needsRegistration) throw;
  }
  co_return nullptr;
}

// A node that was made when the ID could not be saved any more would stay for ever, with the credentials in it. What
// carries another host's instance is not such a node, whatever its name.
base::Task<NodePtr> nodeByName(Session& session) {
  const HostData& host = session.host();
  const std::string name = nodeName(host.namespace_, host.name);
  const std::string context = fmt::format("failed to find node by name {}: ", name);
  auto answer = co_await session.ask(context, session.client().findNode(name));
  if (!answer) throw ProvisionerError(ProvisionerError::Code::transient, context + "busy");
  std::optional<ironic::Node> node = std::move(*answer);
  const bool ours = node && (node->instanceUuid.empty() || node->instanceUuid == host.uid);
  if (!ours) co_return nullptr;
  session.adoptId(node->uuid);
  co_return std::make_shared<const ironic::Node>(std::move(*node));
}

base::Task<NodePtr> nodeIfAny(Session& session) {
  NodePtr node = co_await nodeById(session);
  if (!node && session.host().mayBeUnsaved) node = co_await nodeByName(session);
  co_return node;
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
