// What an approval lets an agent have. One that names no fingerprint was made before approvals did: it counts, and for
// every host where it names none. The API takes no new one of that kind.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "coordinator/agents/routing.hpp"

namespace ingot::coordinator::agents {

// Approved, and it is its present key that was approved.
[[nodiscard]] bool isApproved(const api::ProvisioningAgent& agent);

// Why an agent that somebody approved is not: its key has another fingerprint. "" when that is not so.
[[nodiscard]] std::string wrongKeyText(const api::ProvisioningAgent& agent);

// An agent as routing sees it.
[[nodiscard]] AgentCandidate candidateOf(const api::ProvisioningAgent& agent);

[[nodiscard]] bool isOfOldForm(const api::ProvisioningAgentSpec& spec);
// What it counts as, in words.
void fillInOldApproval(api::ProvisioningAgentSpec& spec);

}  // namespace ingot::coordinator::agents
