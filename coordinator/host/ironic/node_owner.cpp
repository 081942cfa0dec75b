#include "coordinator/host/ironic/node_owner.hpp"

#include "bmc/model/mac.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::host::ironic_backend {

namespace {

std::string otherOwner(const HostData& host, const ironic::Node& node) {
  return host.otherOwner ? host.otherOwner(node.uuid) : "";
}

// Earlier versions gave no namespace. A name with "~" in it cannot be one of theirs.
bool isEarlierName(const HostData& host, const ironic::Node& node) {
  return node.name == host.name && host.name.find('~') == std::string::npos;
}

// "<namespace>/<name>" of a node named <namespace>~<name>; "" of any other.
std::string hostNamedBy(const ironic::Node& node) {
  const auto separator = node.name.find('~');
  if (separator == std::string::npos) return "";
  return node.name.substr(0, separator) + "/" + node.name.substr(separator + 1);
}

}  // namespace

NodeOwner ownerOf(const HostData& host, const ironic::Node& node) {
  if (node.name == nodeName(host.namespace_, host.name)) return NodeOwner::thisHost;
  if (!node.name.empty() && !isEarlierName(host, node)) return NodeOwner::anotherHost;
  return otherOwner(host, node).empty() ? NodeOwner::unproved : NodeOwner::anotherHost;
}

bool proveOwner(const HostData& host, const std::vector<ironic::Port>& ports) {
  const auto mac = bmc::normaliseMac(host.bootMacAddress);
  return mac && std::ranges::any_of(ports, [&](const ironic::Port& port) { return port.address == *mac; });
}

std::string whyForeign(const HostData& host, const ironic::Node& node) {
  const std::string self = host.namespace_ + "/" + host.name;
  std::string owner = hostNamedBy(node);
  if (owner.empty()) owner = otherOwner(host, node);
  if (!owner.empty()) return fmt::format("node {} belongs to host {}, not to {}", node.uuid, owner, self);
  if (!node.name.empty() && !isEarlierName(host, node))
    return fmt::format("node {} is named {}, and does not belong to host {}", node.uuid, node.name, self);
  return fmt::format(
      "node {} has neither the name {} nor a port with the boot MAC address of host {}: whose it is is not known",
      node.uuid, nodeName(host.namespace_, host.name), self);
}

}  // namespace ingot::coordinator::host::ironic_backend
