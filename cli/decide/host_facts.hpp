// What several decisions read of a host.
#pragma once

#include "api/bmh/annotations.hpp"
#include "api/bmh/provisioning_state.hpp"

#include <optional>

namespace ingot::cli {

// Empty for a text that names no state.
[[nodiscard]] inline std::optional<api::ProvisioningState> stateOf(const api::BareMetalHost& host) {
  return api::parseProvisioningState(host.status.provisioning.state);
}

}  // namespace ingot::cli
