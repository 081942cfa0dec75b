// Taking a deployment off a host again, with the cleaning that follows (spec/ironic.md §6.9).
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

[[nodiscard]] Plan planDeprovisioning(const ironic::Node& node, bool restartOnFailure);

[[nodiscard]] base::Task<Result> deprovision(Session& session, bool restartOnFailure,
                                             std::string automatedCleaningMode);

}  // namespace ingot::coordinator::host::ironic_backend
