// Finds the node that belongs to a host (spec/ironic.md §5.1): by ID, by name, by the MAC address of a port.
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

struct Found {
  NodePtr node;          // empty: there is none
  std::string conflict;  // the node is not ours: text for the user
};

// The host that this node belongs to, when it is not this session's: another one's status names it, and its name is not
// this host's. Else "".
[[nodiscard]] std::string otherOwnerOf(const Session& session, const ironic::Node& node);

[[nodiscard]] base::Task<Found> findHost(Session& session);

}  // namespace ingot::coordinator::host::ironic_backend
