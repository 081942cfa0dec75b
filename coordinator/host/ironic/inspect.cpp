#include "coordinator/host/ironic/operations.hpp"

#include "coordinator/host/ironic/access.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;
using ironic::Verb;

bool wasAborted(const ironic::Node& node) {
  return node.state() == State::inspectFailed && node.lastError.find("aborted") != std::string::npos;
}

// Where an inspection failed the interface cannot change, so the node is led out of that state first; and what another
// interface found before is not what this inspection was to find.
bool needsOtherInterface(const ironic::Node& node, const InspectFlags& flags) {
  return !flags.interface.empty() && node.inspectInterface != flags.interface;
}

// Changing the interface and asking for the inspection are two requests. In between the record looks as after an
// inspection by the new interface, so it says that one is still to be asked for: as long as the node has not moved
// since, it was not.
constexpr std::string_view toBeAsked = "ingot_inspection_to_be_asked";

bool isToBeAsked(const ironic::Node& node) {
  const std::string moved = json::textAt(node.extra, {toBeAsked});
  return !moved.empty() && moved == node.provisionUpdatedAt;
}

ironic::NodePatch inspectionPatch(const ironic::Node& node, const InspectData& data, const std::string& interface) {
  ironic::NodePatch patch(node);
  patch.setText("properties", "capabilities", capabilities(node.properties, data.bootMode));
  if (!data.cpuArchitecture.empty()) patch.setText("properties", "cpu_arch", data.cpuArchitecture);
  patch.setText("", "inspect_interface", interface);
  if (node.inspectInterface != interface && !node.provisionUpdatedAt.empty())
    patch.setText("extra", toBeAsked, node.provisionUpdatedAt);
  return patch;
}

base::Task<Inspected> start(Session& session, NodePtr node, InspectData data, std::string interface) {
  const Updated updated = co_await session.update(node, inspectionPatch(*node, data, interface));
  if (!updated) co_return updated.error();
  const Working sent = co_await session.changeState(*updated, {.verb = Verb::inspect});
  if (sent.started) session.event("InspectionStarted", "Hardware inspection started");
  co_return sent;
}

base::Task<Inspected> readInventory(Session& session, NodePtr node, InspectData data, std::string interface) {
  const auto inventory =
      co_await session.ask("failed to retrieve hardware introspection data: ", session.client().inventory(node->uuid));
  if (!inventory) co_return session.wait(Pause::brief);
  if (!*inventory) co_return co_await start(session, node, std::move(data), std::move(interface));
  session.event("InspectionComplete", "Hardware inspection completed");
  co_return hardwareDetails(**inventory);
}

struct Inspection : Operation<Inspected> {
  using Operation::operator();
  InspectData data;
  std::string interface;

  base::Task<Inspected> operator()(StartInspection) const { return start(session, node, data, interface); }
  base::Task<Inspected> operator()(ReadInventory) const { return readInventory(session, node, data, interface); }
  base::Task<Inspected> operator()(AbortInspection) const {
    co_return co_await session.changeState(node, {.verb = Verb::abort});
  }
};

}  // namespace

InspectionPlan planInspection(const ironic::Node& node, InspectFlags flags) {
  if (wasAborted(node)) flags.restartOnFailure = true;
  switch (node.state()) {
    case State::available: return Send{Verb::manage};
    case State::inspectWait:
      if (flags.forceReboot) return AbortInspection{};
      return Wait{flags.fast ? Pause::brief : Pause::extended};
    case State::inspecting: return Wait{flags.fast ? Pause::brief : Pause::extended};
    case State::inspectFailed:
      if (!flags.restartOnFailure) return Fail{node.lastError.empty() ? "Inspection failed" : node.lastError};
      if (needsOtherInterface(node, flags)) return Send{Verb::manage};
      return StartInspection{};
    case State::manageable:
      if (flags.refresh || needsOtherInterface(node, flags) || isToBeAsked(node)) return StartInspection{};
      return ReadInventory{};
    default: return GiveUp{fmt::format("unexpected provision state {}", node.provisionState.text())};
  }
}

base::Task<Inspected> inspect(Session& session, InspectData data) {
  InspectFlags flags{.restartOnFailure = data.restartOnFailure,
                     .refresh = data.refresh,
                     .forceReboot = data.forceReboot,
                     .fast = data.inspectionMode == "fast"};
  const bmc::Address address = bmc::parseAddress(session.host().bmcAddress);
  if (flags.fast && !address.traits().outOfBandInspection)
    co_return Refused{fmt::format("BMC driver {} does not support fast (out-of-band) inspection", address.type)};
  flags.interface = inspectInterface(accessOf(address.scheme), flags.fast);

  const NodePtr node = co_await session.nodeWithReason();
  const Inspection inspection{{session, node}, std::move(data), flags.interface};
  co_return co_await std::visit(inspection, planInspection(*node, std::move(flags)));
}

}  // namespace ingot::coordinator::host::ironic_backend
