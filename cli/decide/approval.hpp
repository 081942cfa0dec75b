// Whether an agent may be approved, and what to write for it.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "cli/command/command.hpp"

namespace ingot::cli {

struct Approval {
  std::string refusal;  // not empty: why not, and what to do
  json::Object spec;    // members of spec to change; empty: none
  std::string said;
};

[[nodiscard]] Approval planApproval(const api::ProvisioningAgent& agent, const ApproveCommand& command);

// Fingerprints compare without case, colons, dashes and spaces.
[[nodiscard]] bool sameFingerprint(std::string_view a, std::string_view b);

}  // namespace ingot::cli
