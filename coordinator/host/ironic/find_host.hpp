// Finds the node that belongs to a host (spec/ironic.md §5.1): by ID, by name, by the MAC address of a port.
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

struct Found {
  NodePtr node;          // empty: there is none
  std::string conflict;  // the node is not ours: text for the user
};

[[nodiscard]] base::Task<Found> findHost(Session& session);

}  // namespace ingot::coordinator::host::ironic_backend
