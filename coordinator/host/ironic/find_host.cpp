#include "coordinator/host/ironic/find_host.hpp"

#include "bmc/model/mac.hpp"
#include "coordinator/host/ironic/node_owner.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

NodePtr shared(std::optional<ironic::Node> node) {
  return node ? std::make_shared<const ironic::Node>(std::move(*node)) : nullptr;
}

// That Ironic could not say is not "there is none": the machine would get a second node.
ProvisionerError busy(const std::string& context) { return {ProvisionerError::Code::transient, context + "busy"}; }

base::Task<NodePtr> byId(Session& session) {
  try {
    co_return co_await session.node();
  } catch (const ProvisionerError& error) {
    if (error.code() != ProvisionerError::Code::needsRegistration) throw;
  }
  co_return nullptr;
}

base::Task<NodePtr> lookUp(Session& session, std::string idOrName, std::string context) {
  auto node = co_await session.ask(context, session.client().findNode(idOrName));
  if (!node) throw busy(context);
  co_return shared(std::move(*node));
}

base::Task<NodePtr> byName(Session& session) {
  const HostData& host = session.host();
  std::vector<std::string> names{nodeName(host.namespace_, host.name)};
  if (host.name.find('~') == std::string::npos) names.push_back(host.name);  // as earlier versions named nodes
  for (const std::string& name : names)
    if (NodePtr node = co_await lookUp(session, name, fmt::format("failed to find node by name {}: ", name)))
      co_return node;
  co_return nullptr;
}

// The first port with this address.
base::Task<std::optional<ironic::Port>> portWith(Session& session, std::string mac) {
  const std::string context = fmt::format("failed to find port {}: ", mac);
  auto ports = co_await session.ask(context, session.client().portsByAddress(mac));
  if (!ports) throw busy(context);
  co_return ports->empty() ? std::nullopt : std::optional(std::move(ports->front()));
}

base::Task<Found> byMac(Session& session) {
  const auto mac = bmc::normaliseMac(session.host().bootMacAddress);
  if (!mac) co_return Found{};
  const auto port = co_await portWith(session, *mac);
  if (!port) co_return Found{};
  NodePtr node =
      co_await lookUp(session, port->nodeUuid,
                      fmt::format("port {} exists but failed to find linked node {} by ID: ", *mac, port->nodeUuid));
  if (!node)
    throw ProvisionerError(ProvisionerError::Code::transient,
                           fmt::format("port {} exists but linked node {} doesn't: not found", *mac, port->nodeUuid));
  if (!node->name.empty())
    co_return Found{.conflict = fmt::format("MAC address {} conflicts with existing node {}",
                                            session.host().bootMacAddress, tellableName(session.host(), *node))};
  co_return Found{.node = std::move(node)};
}

base::Task<Found> search(Session& session) {
  if (NodePtr node = co_await byId(session)) co_return Found{.node = std::move(node)};
  Found found{.node = co_await byName(session)};
  if (!found.node) found = co_await byMac(session);
  if (!found.node) co_return found;
  co_await session.checkOwner(found.node);
  session.adoptId(found.node->uuid);
  co_return found;
}

}  // namespace

base::Task<Found> findHost(Session& session) {
  try {
    co_return co_await search(session);
  } catch (const ProvisionerError& error) {
    if (error.code() == ProvisionerError::Code::foreignNode) co_return Found{.conflict = error.what()};
    throw ProvisionerError(error.code(), fmt::format("failed to find existing host: {}", error.what()));
  }
}

}  // namespace ingot::coordinator::host::ironic_backend
