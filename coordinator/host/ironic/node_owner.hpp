// Decides which host owns a node. status.provisioning.ID alone proves nothing: a status can be copied from one host to
// another (the annotation baremetalhost.metal3.io/status). The name of a node says whose it is (spec/ironic.md §5.1).
// Pure.
//
// The texts are for the status of the host that is refused, so they name no host of another namespace. Logs may name
// it.
#pragma once

#include "coordinator/host/provisioner.hpp"
#include "ironic-client/node.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host::ironic_backend {

enum class NodeOwner {
  thisHost,     // by the name <namespace>~<name>
  anotherHost,  // by any other name
  unproved,     // no name, or <name> alone, as earlier versions named nodes: its ports tell
};

[[nodiscard]] NodeOwner ownerOf(const HostData& host, const ironic::Node& node);

// Why the host may not touch a node that bears another's name.
[[nodiscard]] std::string whyForeign(const HostData& host, const ironic::Node& node);

// Why an unproved node is not taken for the host's.
struct Unproved {
  std::string why;      // "": it is the host's
  bool untold = false;  // it may be the host's: nobody can tell while another host cannot be read
};

// An unproved node is the host's when one of its ports has the host's boot MAC address, and no other host has a claim
// that is as good. A claim is as good when a host's status names the node and its boot MAC address is a port's, or is
// not set. Of two such hosts in one namespace the older one has the node. Of two hosts in different namespaces neither
// has it: a tenant may know all that, and a host that was moved from another cluster has the time of the move. While a
// host cannot be read nobody has the node, for that host may have a claim.
[[nodiscard]] Unproved whyUnproved(const HostData& host, const ironic::Node& node,
                                   const std::vector<ironic::Port>& ports);

// The node's name, unless it tells of a host of another namespace.
[[nodiscard]] std::string tellableName(const HostData& host, const ironic::Node& node);

}  // namespace ingot::coordinator::host::ironic_backend
