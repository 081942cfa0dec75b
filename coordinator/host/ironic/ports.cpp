#include "coordinator/host/ironic/ports.hpp"

#include "bmc/model/mac.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::host::ironic_backend {

namespace {

void want(std::vector<WantedPort>& wanted, const std::string& text, bool pxe,
          const std::vector<ironic::Port>& present) {
  const auto mac = bmc::normaliseMac(text);
  if (!mac) return;
  for (const ironic::Port& port : present)
    if (port.address == *mac) return;
  const auto known = std::find_if(wanted.begin(), wanted.end(), [&](const WantedPort& p) { return p.mac == *mac; });
  if (known == wanted.end())
    wanted.push_back({*mac, pxe});
  else
    known->pxe = known->pxe || pxe;
}

bool knowsAnyMac(const HostData& host, const RegisterData& data) {
  return !host.bootMacAddress.empty() || !data.nics.empty() || !data.bootInterfaceMacs.empty();
}

std::size_t basisOf(const ironic::Node& node, const std::vector<WantedPort>& wanted) {
  std::string text = node.provisionState.text() + " " + node.provisionUpdatedAt;
  for (const WantedPort& port : wanted) text += " " + port.mac;
  return std::hash<std::string>{}(text);
}

base::Task<bool> createPort(Session& session, NodePtr node, WantedPort wanted) {
  const std::string context =
      fmt::format("failed to create ironic port for node {}, MAC: {}: ", node->uuid, wanted.mac);
  const auto holders = co_await session.ask(context, session.client().portsByAddress(wanted.mac));
  if (!holders) co_return false;
  for (const ironic::Port& port : *holders) {
    if (port.nodeUuid == node->uuid) co_return true;
    throw ProvisionerError(ProvisionerError::Code::transient,
                           fmt::format("port belongs to another node {}, MAC: {} can't register for node {}",
                                       port.nodeUuid, wanted.mac, node->uuid));
  }
  ironic::Port port{.nodeUuid = node->uuid, .address = wanted.mac, .pxeEnabled = wanted.pxe};
  const auto created = co_await session.ask(context, session.client().createPort(std::move(port)));
  co_return created.has_value();
}

}  // namespace

std::vector<WantedPort> missingPorts(const std::string& bootMac, const RegisterData& data,
                                     const std::vector<ironic::Port>& present) {
  std::vector<WantedPort> wanted;
  for (const api::Nic& nic : data.nics) want(wanted, nic.mac, nic.pxe, present);
  for (const std::string& mac : data.bootInterfaceMacs) want(wanted, mac, true, present);
  want(wanted, bootMac, true, present);
  return wanted;
}

bool acceptsPorts(ironic::State state) {
  switch (state) {
    case ironic::State::enroll:
    case ironic::State::manageable:
    case ironic::State::available:
    case ironic::State::active:
    case ironic::State::adoptFailed:
    case ironic::State::inspectFailed:
    case ironic::State::cleanFailed:
    case ironic::State::deployFailed:
    case ironic::State::serviceFailed:
    case ironic::State::error: return true;
    default: return false;  // every other state, also those that Ironic may invent
  }
}

base::Task<bool> ensurePorts(Session& session, NodePtr node, RegisterData data) {
  if (!acceptsPorts(node->state()) || !knowsAnyMac(session.host(), data)) co_return true;
  auto& ledger = session.shared().ports;
  const std::size_t basis = basisOf(*node, missingPorts(session.host().bootMacAddress, data, {}));
  if (ledger.settled(node->uuid, basis)) co_return true;

  const auto present = co_await session.ask(fmt::format("failed to list ports of node {}: ", node->uuid),
                                            session.client().portsOfNode(node->uuid));
  if (!present) co_return false;
  for (const WantedPort& port : missingPorts(session.host().bootMacAddress, data, *present))
    if (!co_await createPort(session, node, port)) co_return false;
  ledger.note(node->uuid, basis);
  co_return true;
}

}  // namespace ingot::coordinator::host::ironic_backend
