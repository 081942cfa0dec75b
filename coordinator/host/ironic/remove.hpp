// Removal of a node from Ironic; the machine itself is left as it is (spec/ironic.md §6.10).
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

[[nodiscard]] Plan planRemoval(const ironic::Node& node);

// Complete once Ironic says that there is no such node.
[[nodiscard]] base::Task<Result> remove(Session& session);

}  // namespace ingot::coordinator::host::ironic_backend
