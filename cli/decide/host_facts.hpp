// What several decisions read of a host.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/provisioning_state.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::cli {

[[nodiscard]] inline bool isAnnotated(const api::BareMetalHost& host, std::string_view annotation) {
  return host.metadata.annotations.contains(std::string(annotation));
}

// Empty for a text that names no state.
[[nodiscard]] inline std::optional<api::ProvisioningState> stateOf(const api::BareMetalHost& host) {
  return api::parseProvisioningState(host.status.provisioning.state);
}

}  // namespace ingot::cli
