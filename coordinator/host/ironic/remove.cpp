#include "coordinator/host/ironic/operations.hpp"

#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;

constexpr std::string_view maintenanceReason = "forcing deletion in baremetal-operator";  // as existing tools know it

struct Sought {
  NodePtr node;         // empty: there is none to remove
  std::string foreign;  // why the one that the ID names stays: text for the user
};

base::Task<Sought> nodeById(Session& session) {
  try {
    co_return Sought{.node = co_await session.node()};
  } catch (const ProvisionerError& error) {
    if (error.code() == ProvisionerError::Code::foreignNode) co_return Sought{.foreign = error.what()};
    if (error.code() != ProvisionerError::Code::needsRegistration) throw;
  }
  co_return Sought{};
}

// A node that was created while its ID could no longer be saved would stay for ever, with the credentials in it. A node
// that carries another host's instance is not such a node, whatever its name.
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

base::Task<Sought> seek(Session& session) {
  Sought sought = co_await nodeById(session);
  if (!sought.node && session.host().mayBeUnsaved) sought.node = co_await nodeByName(session);
  co_return sought;
}

base::Task<Progress> release(Session& session, NodePtr node) {
  ironic::NodePatch patch(*node);
  patch.set("", "instance_uuid", nullptr);
  const Updated updated = co_await session.update(node, patch);
  if (!updated) co_return updated.error();
  co_return co_await session.deleteNode(*updated);
}

struct Removal : Operation<> {
  using Operation::operator();

  base::Task<Progress> operator()(Release) const { return release(session, node); }
  base::Task<Progress> operator()(SetMaintenance step) const {
    co_return co_await session.setMaintenance(node, std::move(step.reason));
  }
  base::Task<Progress> operator()(DeleteNode) const { co_return co_await session.deleteNode(node); }
};

// Whether Ironic has taken the request.
bool isTaken(const Working& answer) { return answer == Working{}; }

// Ironic drops a fault only together with the maintenance. The maintenance is set again whatever came of clearing it,
// because the answer to that may have been lost.
base::Task<bool> endFault(Session& session, NodePtr node, std::string reason) {
  bool ended = false;
  std::optional<ProvisionerError> failure;
  try {
    ended = isTaken(co_await session.clearMaintenance(node));
  } catch (const ProvisionerError& error) {
    failure = error;
  }
  const bool set = isTaken(co_await session.setMaintenance(node, std::move(reason)));
  if (failure) throw *failure;
  if (!ended) co_return false;
  co_return set;
}

// Ironic ends a maintenance that it set for a fault as soon as the BMC is back, even when the reason is ours by then.
// Our maintenance is set first, so that nothing is cleared where setting it is refused.
base::Task<bool> keepOff(Session& session, NodePtr node, std::string reason) {
  if (node->maintenance && node->fault.empty()) co_return true;
  if (!isTaken(co_await session.setMaintenance(node, reason))) co_return false;
  if (node->fault.empty()) co_return true;
  co_return co_await endFault(session, node, std::move(reason));
}

}  // namespace

RemovalPlan planRemoval(const ironic::Node& node) {
  switch (node.state()) {
    case State::verifying: return Wait{Pause::brief};
    case State::enroll: return DeleteNode{};
    case State::available:
    case State::manageable:
      if (node.instanceUuid.empty()) return DeleteNode{};
      return Release{};
    case State::deploying:
    case State::cleaning:
    case State::inspecting:
    case State::servicing:
    case State::deleting:
    case State::deployWait:
    case State::inspectWait:
    case State::cleanWait:
    case State::serviceWait: return Wait{Pause::extended};
    default:
      if (node.maintenance) return DeleteNode{};
      return SetMaintenance{std::string(maintenanceReason)};
  }
}

base::Task<Progress> remove(Session& session) {
  const Sought sought = co_await seek(session);
  if (!sought.node) {
    if (!sought.foreign.empty()) session.event("NodeLeftAlone", sought.foreign + "; it was left as it is");
    co_return Done{};
  }
  const Removal removal{{session, sought.node}};
  co_return co_await std::visit(removal, planRemoval(*sought.node));
}

base::Task<std::string> abandon(Session& session, std::string reason) {
  try {
    const Sought sought = co_await seek(session);
    if (!sought.node) co_return sought.foreign.empty() ? "Ironic has no such node" : sought.foreign;
    if (co_await keepOff(session, sought.node, std::move(reason))) co_return "";
    co_return "Ironic is busy with the node";
  } catch (const ProvisionerError& error) {
    co_return error.what();
  }
}

}  // namespace ingot::coordinator::host::ironic_backend
