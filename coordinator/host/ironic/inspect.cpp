#include "coordinator/host/ironic/inspect.hpp"

#include "coordinator/host/ironic/access.hpp"
#include "coordinator/host/ironic/hardware_details.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;
using ironic::Verb;

bool wasAborted(const ironic::Node& node) {
  return node.state() == State::inspectFailed && node.lastError.find("aborted") != std::string::npos;
}

ironic::NodePatch inspectionPatch(const ironic::Node& node, const InspectData& data, const std::string& interface) {
  ironic::NodePatch patch(node);
  patch.setText("properties", "capabilities", capabilities(node.properties, data.bootMode));
  if (!data.cpuArchitecture.empty()) patch.setText("properties", "cpu_arch", data.cpuArchitecture);
  patch.setText("", "inspect_interface", interface);
  return patch;
}

base::Task<Inspected> start(Session& session, NodePtr node, InspectData data, bool fast) {
  const bmc::Address address = bmc::parseAddress(session.host().bmcAddress);
  if (fast && !address.traits().outOfBandInspection)
    co_return Inspected{
        Result::failed(fmt::format("BMC driver {} does not support fast (out-of-band) inspection", address.type))};

  const std::string interface = inspectInterface(accessOf(address.scheme), fast);
  if (node->state() == State::inspectFailed && node->inspectInterface != interface) {
    // An interface cannot change in this state: leave it first.
    const Sent sent = co_await session.changeState(node, {.verb = Verb::manage});
    co_return Inspected{sent.result};
  }
  const Updated updated = co_await session.update(node, inspectionPatch(*node, data, interface));
  if (!updated.node) co_return Inspected{updated.result};
  const Sent sent = co_await session.changeState(updated.node, {.verb = Verb::inspect});
  if (sent.accepted) session.event("InspectionStarted", "Hardware inspection started");
  co_return Inspected{sent.result, sent.accepted};
}

base::Task<Inspected> readInventory(Session& session, NodePtr node, InspectData data, bool fast) {
  const auto inventory =
      co_await session.ask("failed to retrieve hardware introspection data: ", session.client().inventory(node->uuid));
  if (!inventory) co_return Inspected{session.wait(Pause::brief)};
  if (!*inventory) co_return co_await start(session, node, std::move(data), fast);
  session.event("InspectionComplete", "Hardware inspection completed");
  co_return Inspected{Result::complete(), false, hardwareDetails(**inventory)};
}

}  // namespace

Plan planInspection(const ironic::Node& node, InspectFlags flags) {
  if (wasAborted(node)) flags.restartOnFailure = true;
  switch (node.state()) {
    case State::available: return Plan::send(Verb::manage);
    case State::inspectWait:
      if (flags.forceReboot) return Plan::send(Verb::abort);
      return Plan::wait(flags.fast ? Pause::brief : Pause::extended);
    case State::inspecting: return Plan::wait(flags.fast ? Pause::brief : Pause::extended);
    case State::inspectFailed:
      if (flags.restartOnFailure) return Plan::just(Plan::Kind::startInspection);
      return Plan::fail(node.lastError.empty() ? "Inspection failed" : node.lastError);
    case State::manageable: return Plan::just(flags.refresh ? Plan::Kind::startInspection : Plan::Kind::readInventory);
    default: return Plan::giveUp(fmt::format("unexpected provision state {}", node.provisionState.text()));
  }
}

base::Task<Inspected> inspect(Session& session, InspectData data, InspectFlags flags) {
  const NodePtr node = co_await session.node();
  const Plan plan = planInspection(*node, flags);
  if (plan.kind == Plan::Kind::startInspection) co_return co_await start(session, node, std::move(data), flags.fast);
  if (plan.kind == Plan::Kind::readInventory)
    co_return co_await readInventory(session, node, std::move(data), flags.fast);
  const bool aborts = plan.kind == Plan::Kind::verb && plan.verb == Verb::abort;
  const Sent sent = co_await session.carryOut(plan, node);
  co_return Inspected{sent.result, aborts && sent.accepted};
}

}  // namespace ingot::coordinator::host::ironic_backend
