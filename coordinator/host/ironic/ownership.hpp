// Does Ironic own this node now? While it does, nobody else may change the host's power, boot or disks
// (docs/architecture.md). Derived from what the node looks like, never stored. Pure.
#pragma once

#include "ironic-client/node.hpp"

namespace ingot::coordinator::host::ironic_backend {

// Ironic is at work on the node or about to be: transient provision state, a provision or power target, a reservation.
[[nodiscard]] bool ironicOwns(const ironic::Node& node);

}  // namespace ingot::coordinator::host::ironic_backend
