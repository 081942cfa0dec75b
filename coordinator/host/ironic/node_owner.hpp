// Whose a node is. status.provisioning.ID alone proves nothing: a status can be copied from one host to another (the
// annotation baremetalhost.metal3.io/status). A node says itself whose it is, by its name (spec/ironic.md §5.1). Pure.
#pragma once

#include "coordinator/host/provisioner.hpp"
#include "ironic-client/node.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host::ironic_backend {

enum class NodeOwner {
  thisHost,     // by the name <namespace>~<name>
  anotherHost,  // by any other name; or another host's status names what is unproved
  unproved,     // no name, or <name> alone, as earlier versions named nodes: a port with the host's boot MAC address
                // proves it
};

[[nodiscard]] NodeOwner ownerOf(const HostData& host, const ironic::Node& node);

// One of the node's ports has the host's boot MAC address.
[[nodiscard]] bool proveOwner(const HostData& host, const std::vector<ironic::Port>& ports);

// Why the host may not touch the node, for people: which node, whose it is and whose it is not.
[[nodiscard]] std::string whyForeign(const HostData& host, const ironic::Node& node);

}  // namespace ingot::coordinator::host::ironic_backend
