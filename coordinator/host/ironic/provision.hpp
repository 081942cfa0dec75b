// Deployment of an image (spec/ironic.md §6.8).
#pragma once

#include "coordinator/host/ironic/instance.hpp"
#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

[[nodiscard]] Plan planProvisioning(const ironic::Node& node, const Deployment& wanted, bool forceReboot);

// Pure: "" when Ironic can boot and deploy, else the text for the user.
[[nodiscard]] std::string validationProblem(const ironic::Validation& validation);

[[nodiscard]] base::Task<Result> provision(Session& session, ProvisionData data, bool forceReboot);

}  // namespace ingot::coordinator::host::ironic_backend
