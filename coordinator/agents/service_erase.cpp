// Asking agents to erase the drives of hosts.
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration eraseAnswerWithin = std::chrono::seconds(30);  // that it has begun

std::map<std::string, std::string> worded(const std::map<std::string, bmc::EraseDepth>& depths) {
  std::map<std::string, std::string> words;
  for (const auto& [serial, depth] : depths) words[serial] = toText(depth);
  return words;
}

}  // namespace

AgentService::Server AgentService::serverOf(const std::string& uid) const {
  const auto* served = findServed(uid);
  if (served == nullptr) return {};
  const auto* connection = connectionOf(served->agent);
  return {.name = served->agent, .software = connection == nullptr ? std::string() : connection->software};
}

bool AgentService::erasesDrives(const std::string& uid) const {
  const auto* served = findServed(uid);
  const auto* connection = served == nullptr ? nullptr : connectionOf(served->agent);
  return connection != nullptr && connection->erasesDrives;
}

const AskedErasure& AgentService::askForErasure(const std::string& uid, const EraseAsk& ask) {
  const auto now = runtime_.clock.now();
  auto& asked = erasures_.ask(uid, ask, now);
  const auto* connection = asked.result ? nullptr : connectionToAsk(uid);
  if (connection == nullptr || (connection->peer == asked.peer && now < asked.againAt)) return asked;
  const wire::EraseRequest request{.host = uid,
                                   .token = leases_.nextCommand(uid),
                                   .job = ask.job,
                                   .resumeOnly = ask.resumeOnly,
                                   .machineSerial = ask.order.machineSerial,
                                   .depth = std::string(toText(ask.order.depth)),
                                   .depths = worded(ask.order.depths),
                                   .known = ask.order.known};
  if (!send(*connection, request)) return asked;
  asked.agent = findServed(uid)->agent;
  asked.peer = connection->peer;
  asked.tokens.insert(request.token);
  asked.againAt = now + eraseAnswerWithin;
  return asked;
}

void AgentService::onErasure(const Connection& from, const wire::EraseReport& report) {
  const auto* served = findServed(report.host);
  const auto name = nameOf(from);
  if (served == nullptr || served->agent != name || !erasures_.answered(name, report, runtime_.clock.now())) return;
  world_.wake(served->key);
}

}  // namespace ingot::coordinator::agents
