#include "cli/decide/approval.hpp"

#include "base/text.hpp"

#include <cctype>

namespace ingot::cli {
namespace {

std::string essence(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ':' && c != '-' && c != ' ') out += base::lower(c);
  return out;
}

}  // namespace

bool sameFingerprint(std::string_view a, std::string_view b) { return essence(a) == essence(b); }

Approval planApproval(const api::ProvisioningAgent& agent, const ApproveCommand& command) {
  const std::string& fingerprint = agent.status.fingerprint;
  if (agent.metadata.beingDeleted()) return {.refusal = "it is being deleted"};
  if (!command.fingerprint.empty() && !sameFingerprint(command.fingerprint, fingerprint))
    return {.refusal = fmt::format("its fingerprint is {}, not {}: this is not the agent you mean, do not approve it",
                                   fingerprint, command.fingerprint)};

  Approval approval;
  if (!agent.spec.approved) approval.spec["approved"] = true;
  if (!command.networks.empty() && agent.spec.networks != command.networks)
    approval.spec["networks"] = json::Array(command.networks.begin(), command.networks.end());
  approval.said =
      fmt::format("{} (fingerprint {})", agent.spec.approved ? "was approved already" : "approved", fingerprint);
  if (command.fingerprint.empty() && !agent.spec.approved)
    approval.said +=
        "; the agent must print the same one: if it does not, use ingotctl agents revoke " + agent.metadata.name;
  return approval;
}

}  // namespace ingot::cli
