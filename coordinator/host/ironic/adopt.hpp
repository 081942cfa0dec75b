// Adoption: a node of ours that Ironic forgot is made known as deployed; its disk is not touched (spec/ironic.md §6.5).
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

// `hostState`: the host's provisioning state.
[[nodiscard]] Plan planAdoption(const ironic::Node& node, std::string_view hostState, bool restartOnFailure);

[[nodiscard]] base::Task<Result> adopt(Session& session, std::string hostState, bool restartOnFailure);

}  // namespace ingot::coordinator::host::ironic_backend
