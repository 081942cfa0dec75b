// How many hosts may be at work at once (spec/ironic.md §6.14): every ramdisk boot loads the provisioning network.
#pragma once

#include "coordinator/host/ironic/session.hpp"

#include <set>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

// Pure: the node boots its ramdisk over the network now.
[[nodiscard]] bool loadsNetwork(const ironic::Node& node);

[[nodiscard]] base::Task<bool> hasCapacity(Session& session);

}  // namespace ingot::coordinator::host::ironic_backend
