// Asking agents to make hosts boot from something.
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

// The agent's own limits: a BMC that loads an image, or that is busy in POST, takes minutes.
constexpr base::Duration bootAnswerWithin = std::chrono::minutes(10);

}  // namespace

bool AgentService::preparesBoots(const std::string& uid) const {
  const auto* served = findServed(uid);
  const auto* connection = served == nullptr ? nullptr : connectionOf(served->agent);
  return connection != nullptr && connection->preparesBoots;
}

// Ownership is decided now, not when the lease was given.
const Connection* AgentService::connectionToAsk(const std::string& uid) const {
  const auto* served = findServed(uid);
  if (served == nullptr || !canCommand(uid)) return nullptr;
  const auto* host = hosts_.find(served->key, uid);
  if (host == nullptr || ownerOf(*host) != ownership::Owner::agent) return nullptr;
  return connectionOf(served->agent);
}

const AskedBoot& AgentService::askForBoot(const std::string& uid, const bmc::BootPlan& plan) {
  const auto now = runtime_.clock.now();
  auto& asked = boots_.ask(uid, plan, now);
  const auto* connection = asked.result ? nullptr : connectionToAsk(uid);
  if (connection == nullptr || (connection->peer == asked.peer && now < asked.againAt)) return asked;
  const wire::BootRequest request{.host = uid,
                                  .token = leases_.nextCommand(uid),
                                  .image = plan.image,
                                  .mayStay = plan.mayStay,
                                  .whileOff = plan.whileOff,
                                  .device = std::string(toText(plan.setting.device)),
                                  .persistent = plan.setting.persistent,
                                  .mode = std::string(plan.setting.mode ? toText(*plan.setting.mode) : "")};
  if (!send(*connection, request)) return asked;
  if (connection->peer != asked.peer) asked.at = now;
  asked.agent = findServed(uid)->agent;
  asked.peer = connection->peer;
  asked.tokens.insert(request.token);
  asked.againAt = now + bootAnswerWithin;
  return asked;
}

void AgentService::onBoot(const Connection& from, const wire::BootResult& result) {
  const auto* served = findServed(result.host);
  const auto name = nameOf(from);
  if (served == nullptr || served->agent != name || !boots_.answered(name, result, runtime_.clock.now())) return;
  world_.wake(served->key);
}

}  // namespace ingot::coordinator::agents
