#include "cli/decide/approval.hpp"

#include <fmt/ranges.h>

namespace ingot::cli {
namespace {

using Spec = api::ProvisioningAgentSpec;

bool hasScope(const Spec& spec) { return spec.allHosts || !spec.networks.empty() || !spec.hostLabels.empty(); }

Spec scopeOf(const ApproveCommand& command) {
  return {.networks = command.networks, .hostLabels = command.labels, .allHosts = command.all};
}

// The scope that is given replaces the one before.
void patchScope(json::Object& patch, const Spec& now, const Spec& wanted) {
  if (now.networks != wanted.networks) patch["networks"] = json::Array(wanted.networks.begin(), wanted.networks.end());
  if (now.allHosts != wanted.allHosts) patch["allHosts"] = wanted.allHosts;
  if (now.hostLabels == wanted.hostLabels) return;
  json::Object labels;
  for (const auto& [key, value] : now.hostLabels) labels[key] = nullptr;
  for (const auto& [key, value] : wanted.hostLabels) labels[key] = value;
  patch["hostLabels"] = std::move(labels);
}

}  // namespace

std::string scopeText(const Spec& spec) {
  std::vector<std::string> parts = spec.networks;
  for (const auto& [key, value] : spec.hostLabels) parts.push_back(fmt::format("{}={}", key, value));
  if (spec.allHosts) parts.emplace_back("all hosts");
  return fmt::format("{}", fmt::join(parts, ","));
}

Approval planApproval(const api::ProvisioningAgent& agent, const ApproveCommand& command) {
  const std::string& fingerprint = agent.status.fingerprint;
  const Spec& now = agent.spec;
  if (agent.metadata.beingDeleted()) return {.refusal = "it is being deleted"};
  if (!command.fingerprint.empty() && !api::sameFingerprint(command.fingerprint, fingerprint))
    return {.refusal = fmt::format("its fingerprint is {}, not {}: this is not the agent you mean, do not approve it",
                                   fingerprint, command.fingerprint)};
  const bool isOfThisKey = api::sameFingerprint(now.fingerprint, fingerprint);
  if (command.fingerprint.empty() && !(now.approved && isOfThisKey))
    return {
        .refusal = fmt::format(
            "compare fingerprints first: its key has {}. If the agent printed the same when it started, give it with "
            "--fingerprint \"{}\"",
            fingerprint, fingerprint)};
  const Spec given = scopeOf(command);
  if (!hasScope(given) && !hasScope(now))
    return {.refusal = "say what it may serve: --network CIDR (of BMCs), --label KEY=VALUE (of hosts), or --all"};

  Approval approval;
  if (!now.approved) approval.spec["approved"] = true;
  if (!isOfThisKey) approval.spec["fingerprint"] = fingerprint;
  if (hasScope(given)) patchScope(approval.spec, now, given);
  approval.said = fmt::format("{} for {} (fingerprint {})", approval.spec.empty() ? "was approved already" : "approved",
                              scopeText(hasScope(given) ? given : now), fingerprint);
  return approval;
}

}  // namespace ingot::cli
