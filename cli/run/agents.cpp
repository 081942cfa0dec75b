// ingotctl agents approve|revoke
#include "cli/decide/approval.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/each.hpp"
#include "cli/run/feed.hpp"
#include "cli/run/find.hpp"

namespace ingot::cli {
namespace {

constexpr base::Duration kFirstReport = std::chrono::seconds(10);  // the coordinator tells the fingerprint soon after

using Agent = api::ProvisioningAgent;
using Matters = bool (*)(const Agent&);

bool isReported(const Agent& agent) { return !agent.status.fingerprint.empty(); }
bool isConnected(const Agent& agent) { return agent.status.connected; }

// The agent once `enough` is true of it; nullopt when it is not in time.
base::Task<std::optional<Agent>> awaitAgent(Session& session, std::string name, base::Duration timeout,
                                            Matters enough) {
  std::optional<Agent> found;
  const auto see = [&](const Change& change) {
    if (change.what != Change::What::present && change.what != Change::What::changed) return false;
    auto agent = kube::decodeObject<Agent>(change.object);
    if (agent.metadata.name != name || !enough(agent)) return false;
    found = std::move(agent);
    return true;
  };
  co_await Feed::follow(session, {.resource = kube::Resource::of(Agent::info), .name = name}, timeout, see);
  co_return found;
}

base::Task<Agent> reportedAgent(Session& session, const ApproveCommand& command) {
  if (!command.wait) {
    auto agent = co_await findAgent(session, command.name);
    if (isReported(agent)) co_return agent;
  }
  auto agent = co_await awaitAgent(session, command.name, command.wait ? command.timeout : kFirstReport, isReported);
  if (agent) co_return std::move(*agent);
  throw Failure(
      ExitCode::timedOut,
      command.wait ? "agent " + command.name +
                         " has not shown up: is it running, with the coordinator's endpoint and public key? See its log"
                   : "agent " + command.name + " has no fingerprint yet: is the coordinator running?");
}

base::Task<Agent> write(Session& session, const Agent& agent, json::Object spec) {
  // The resourceVersion guards the patch, so that only the agent that was looked at is approved.
  co_return co_await session.client.patch<Agent>(
      agent.metadata.key(),
      json::Object{{"metadata", json::Object{{"resourceVersion", agent.metadata.resourceVersion}}},
                   {"spec", std::move(spec)}});
}

// The agent's status changes all the time, so a conflict says nothing: read the agent and decide again.
base::Task<void> decideAndWrite(Session& session, const ApproveCommand& command) {
  constexpr unsigned tries = 5;
  for (unsigned tried = 1;; ++tried) {
    const Agent agent = co_await reportedAgent(session, command);
    const Approval approval = planApproval(agent, command);
    if (!approval.refusal.empty()) throw Failure(ExitCode::failed, "agent " + command.name + ": " + approval.refusal);
    try {
      if (!approval.spec.empty()) co_await write(session, agent, approval.spec);
      session.terminal.say(fmt::format("agent {}: {}", command.name, approval.said));
      co_return;
    } catch (const kube::Error& error) {
      if (error.code() != kube::Error::Code::conflict || tried == tries) throw;
    }
  }
}

base::Task<void> revokeOne(Session& session, std::string name) {
  const Agent agent = co_await findAgent(session, name);
  if (agent.spec.approved)
    co_await session.client.patch<Agent>(agent.metadata.key(),
                                         json::Object{{"spec", json::Object{{"approved", false}}}});
  session.terminal.say(fmt::format(
      "agent {}: {} (fingerprint {})", name,
      agent.spec.approved ? "approval revoked; its hosts go to other agents, or to Ironic" : "was not approved",
      agent.status.fingerprint));
}

}  // namespace

base::Task<ExitCode> run(Session& session, ApproveCommand command) {
  co_await decideAndWrite(session, command);
  if (!command.wait) co_return ExitCode::done;
  if (!co_await awaitAgent(session, command.name, command.timeout, isConnected))
    throw Failure(ExitCode::timedOut, "agent " + command.name + " is approved, but has not connected: is it running?");
  session.terminal.say("agent " + command.name + ": connected");
  co_return ExitCode::done;
}

base::Task<ExitCode> run(Session& session, RevokeCommand command) {
  co_return co_await forEach(session, command.names,
                             [&session](const std::string& name) { return revokeOne(session, name); });
}

}  // namespace ingot::cli
