#include "coordinator/agents/approval.hpp"

#include "wire/link.hpp"

namespace ingot::coordinator::agents {

bool isOfOldForm(const api::ProvisioningAgentSpec& spec) { return spec.approved && spec.fingerprint.empty(); }

void fillInOldApproval(api::ProvisioningAgentSpec& spec) {
  if (!isOfOldForm(spec)) return;
  spec.fingerprint = wire::fingerprint(spec.publicKey);
  if (spec.networks.empty() && spec.hostLabels.empty()) spec.allHosts = true;
}

bool isApproved(const api::ProvisioningAgent& agent) { return agent.spec.approved && wrongKeyText(agent).empty(); }

std::string wrongKeyText(const api::ProvisioningAgent& agent) {
  const auto& spec = agent.spec;
  if (!spec.approved || spec.fingerprint.empty()) return {};
  const auto own = wire::fingerprint(spec.publicKey);
  if (api::sameFingerprint(spec.fingerprint, own)) return {};
  return fmt::format(
      "approved is the fingerprint {}, and the agent's key has {}: if the agent printed that, approve it with: "
      "ingotctl agents approve {} --fingerprint \"{}\"",
      spec.fingerprint, own, agent.metadata.name, own);
}

AgentCandidate candidateOf(const api::ProvisioningAgent& agent) {
  auto spec = agent.spec;
  fillInOldApproval(spec);
  return {.name = agent.metadata.name,
          .networks = std::move(spec.networks),
          .hostLabels = std::move(spec.hostLabels),
          .allHosts = spec.allHosts};
}

}  // namespace ingot::coordinator::agents
