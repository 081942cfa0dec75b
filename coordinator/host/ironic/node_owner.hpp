// Whose a node is. status.provisioning.ID alone proves nothing: a status can be copied from one host to another (the
// annotation baremetalhost.metal3.io/status). A node says itself whose it is, by its name (spec/ironic.md §5.1). Pure.
//
// The texts are for the status of the host that is refused: they name no host of another namespace. Logs may.
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

// "" when a port of an unproved node has the host's boot MAC address, and no host that may have been there before has
// the same proof; else why it is not the host's. Who may have been: whoever is not younger, and of a node that the
// host's own status does not name, everybody whose status does.
[[nodiscard]] std::string whyUnproved(const HostData& host, const ironic::Node& node,
                                      const std::vector<ironic::Port>& ports);

// The node's name, unless it tells of a host of another namespace.
[[nodiscard]] std::string tellableName(const HostData& host, const ironic::Node& node);

}  // namespace ingot::coordinator::host::ironic_backend
