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

// What it may serve: "10.0.0.0/8,rack=7", "all hosts"; "": nothing is named.
[[nodiscard]] std::string scopeText(const api::ProvisioningAgentSpec& spec);

}  // namespace ingot::cli
