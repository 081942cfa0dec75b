// Asking agents for inventories.
#include "coordinator/agents/approval.hpp"
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration betweenRequests = std::chrono::minutes(2);
constexpr base::Duration graceForAgents = std::chrono::seconds(15);  // to come back to a new coordinator

}  // namespace

bool AgentService::canReadInventory(const std::string& uid) const {
  const auto* served = findServed(uid);
  if (served == nullptr || !serves(uid)) return false;
  const auto* connection = connectionOf(served->agent);
  return connection != nullptr && connection->readsInventories && !speaksIpmi(served->granted.address);
}

void AgentService::askForInventory(const std::string& uid) {
  const auto* served = findServed(uid);
  const auto* connection = served == nullptr ? nullptr : connectionOf(served->agent);
  if (connection == nullptr) return;
  const auto& asked = inventories_.ask(uid, served->agent, connection->peer, runtime_.clock.now());
  send(*connection, wire::InventoryRequest{.host = uid, .id = asked.id});
}

// The agent that serves the host now may never have heard of it (another one, or one that has connected anew), and an
// answer may have been lost. An agent reads once for one id.
void AgentService::repeatLostInventoryRequest(const std::string& uid) {
  auto* asked = inventories_.find(uid);
  const auto* served = findServed(uid);
  const auto* connection = served == nullptr ? nullptr : connectionOf(served->agent);
  if (asked == nullptr || asked->result || connection == nullptr) return;
  const auto now = runtime_.clock.now();
  if (connection->peer == asked->peer && now - asked->sentAt < betweenRequests) return;
  asked->agent = served->agent;
  asked->peer = connection->peer;
  asked->sentAt = now;
  send(*connection, wire::InventoryRequest{.host = uid, .id = asked->id});
}

void AgentService::onInventory(const Connection& from, const wire::InventoryResult& result) {
  const auto* served = findServed(result.host);
  const auto name = nameOf(from);
  if (result.errorCode == "no-lease") return;  // the grant was still on its way: it is asked again
  if (served == nullptr || served->agent != name || !inventories_.answered(name, result)) return;
  world_.wake(served->key);
}

bool AgentService::mayStillCome(const std::string& uid) const {
  const auto host = hostOf(uid);
  if (!host || runtime_.clock.now() - startedAt_ > graceForAgents) return false;
  const auto wanted = routeOf(*host);
  return std::ranges::any_of(world_.agents.all(), [&](const auto& agent) {
    return registrar_.isApproved(*agent) && !agent->spec.drain && mayServe(candidateOf(*agent), wanted);
  });
}

}  // namespace ingot::coordinator::agents
