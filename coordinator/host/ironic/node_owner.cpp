#include "coordinator/host/ironic/node_owner.hpp"

#include "bmc/model/mac.hpp"
#include "coordinator/host/ironic/record.hpp"
#include "coordinator/host/other_host.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::host::ironic_backend {

namespace {

// Earlier versions gave no namespace. A name with "~" in it cannot be one of theirs.
bool isEarlierName(const HostData& host, const ironic::Node& node) {
  return node.name == host.name && host.name.find('~') == std::string::npos;
}

std::string self(const HostData& host) { return host.namespace_ + "/" + host.name; }

bool hasPort(const std::vector<ironic::Port>& ports, const std::string& address) {
  const auto mac = bmc::normaliseMac(address);
  return mac && std::ranges::any_of(ports, [&](const ironic::Port& port) { return port.address == *mac; });
}

// Without a boot MAC address it may be any machine's.
bool mayBeIts(const NodeRival& rival, const std::vector<ironic::Port>& ports) {
  return rival.bootMacAddress.empty() || hasPort(ports, rival.bootMacAddress);
}

std::string whyUntold(const HostData& host, const ironic::Node& node, const NodeRival& rival) {
  return fmt::format(
      "whether node {} belongs to host {} is not known while {} cannot be read: correct or delete that one", node.uuid,
      self(host),
      nameForUser(host.namespace_, {rival.namespace_, rival.name}, "the BareMetalHost",
                  "a BareMetalHost of another namespace"));
}

std::string whyContested(const HostData& host, const ironic::Node& node, const NodeRival& rival) {
  return fmt::format(
      "node {} is claimed by {} {} boot MAC address, and host {} cannot prove that it is its own: name the node after "
      "the host that it belongs to, or delete the wrong host",
      node.uuid, nameForUser(host.namespace_, {rival.namespace_, rival.name}),
      rival.bootMacAddress.empty() ? "without a" : "with the same", self(host));
}

}  // namespace

NodeOwner ownerOf(const HostData& host, const ironic::Node& node) {
  if (node.name == nodeName(host.namespace_, host.name)) return NodeOwner::thisHost;
  return node.name.empty() || isEarlierName(host, node) ? NodeOwner::unproved : NodeOwner::anotherHost;
}

std::string whyForeign(const HostData& host, const ironic::Node& node) {
  const auto separator = node.name.find('~');
  if (separator == std::string::npos)
    return fmt::format("node {} is not named {}, and does not belong to host {}", node.uuid,
                       nodeName(host.namespace_, host.name), self(host));
  return fmt::format("node {} belongs to {}, not to {}", node.uuid,
                     nameForUser(host.namespace_, {node.name.substr(0, separator), node.name.substr(separator + 1)}),
                     self(host));
}

Unproved whyUnproved(const HostData& host, const ironic::Node& node, const std::vector<ironic::Port>& ports) {
  if (!hasPort(ports, host.bootMacAddress))
    return {fmt::format(
        "node {} has neither the name {} nor a port with the boot MAC address of host {}: whose it is is not known",
        node.uuid, nodeName(host.namespace_, host.name), self(host))};
  if (!host.rivals) return {};
  const bool recorded = host.provisionerId == node.uuid;
  for (const NodeRival& rival : host.rivals(node.uuid)) {
    if (rival.unreadable) return {.why = whyUntold(host, node, rival), .untold = true};
    const bool yields = recorded && rival.younger && rival.namespace_ == host.namespace_;
    if (!yields && mayBeIts(rival, ports)) return {whyContested(host, node, rival)};
  }
  return {};
}

std::string tellableName(const HostData& host, const ironic::Node& node) {
  const auto separator = node.name.find('~');
  const bool elsewhere = separator != std::string::npos && node.name.substr(0, separator) != host.namespace_;
  return elsewhere ? "of another host" : node.name;
}

}  // namespace ingot::coordinator::host::ironic_backend
