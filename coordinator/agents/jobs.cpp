#include "coordinator/agents/jobs.hpp"

#include "base/milliseconds.hpp"
#include "coordinator/agents/cleaning_depth.hpp"
#include "coordinator/agents/hardware_news.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration betweenInventoryRequests = std::chrono::minutes(2);
// The agent's own limits: a BMC that loads an image, or that is busy in POST, takes minutes.
constexpr base::Duration bootAnswerWithin = std::chrono::minutes(10);
constexpr base::Duration eraseAnswerWithin = std::chrono::seconds(30);  // that it has begun
constexpr std::size_t mostTokens = 1000;  // of the requests for one erasure: an agent asks once a drive

std::map<std::string, std::string> worded(const std::map<std::string, bmc::EraseDepth>& depths) {
  std::map<std::string, std::string> words;
  for (const auto& [serial, depth] : depths) words[serial] = toText(depth);
  return words;
}

// Over another connection it is asked again: the agent may be another, or have forgotten.
template <class Asked>
bool isDue(const Asked& asked, const Connection* agent, base::MonoTime now) {
  return !asked.result && agent != nullptr && (agent->peer != asked.peer || now >= asked.againAt);
}

template <class Asked>
void noteAsked(Asked& asked, const std::string& agent, const Connection& connection, const wire::Token& token,
               base::MonoTime againAt) {
  asked.agent = agent;
  asked.peer = connection.peer;
  asked.tokens.insert(token);
  asked.againAt = againAt;
}

}  // namespace

Jobs::Jobs(base::Runtime runtime, const AgentWorld& world, Conversation& conversation, Grants& grants)
    : runtime_(std::move(runtime)),
      world_(world),
      conversation_(conversation),
      grants_(grants),
      inventories_(world.term) {}

bool Jobs::canReadInventory(const std::string& uid) const {
  const auto* connection = grants_.server(uid);
  return connection != nullptr && grants_.serves(uid) && connection->readsInventories &&
         !speaksIpmi(grants_.find(uid)->granted.access.address);
}

void Jobs::askForInventory(const std::string& uid) {
  const auto* connection = grants_.server(uid);
  if (connection == nullptr) return;
  const auto& asked = inventories_.ask(uid, grants_.find(uid)->agent, connection->peer, runtime_.clock.now());
  conversation_.send(*connection, wire::InventoryRequest{.host = uid, .id = asked.id});
}

void Jobs::lookAtInventory(const std::string& uid) {
  if (auto* asked = inventories_.find(uid)) asked->waited.look(runtime_.clock.now());
}

// The agent that serves the host now may never have heard of it (another one, or one that has connected anew), and an
// answer may have been lost. An agent reads once for one id.
void Jobs::repeatLostInventoryRequest(const std::string& uid) {
  auto* asked = inventories_.find(uid);
  const auto* connection = grants_.server(uid);
  if (asked == nullptr || asked->result || connection == nullptr) return;
  const auto now = runtime_.clock.now();
  if (connection->peer == asked->peer && now - asked->sentAt < betweenInventoryRequests) return;
  asked->agent = grants_.find(uid)->agent;
  asked->peer = connection->peer;
  asked->sentAt = now;
  conversation_.send(*connection, wire::InventoryRequest{.host = uid, .id = asked->id});
}

void Jobs::onInventory(const Connection& from, const wire::InventoryResult& result, bmc::Power power) {
  const auto* served = grants_.servedBy(from, result.host);
  if (result.errorCode == "no-lease") return;  // the grant was still on its way: it is asked again
  if (served == nullptr || !inventories_.answered(served->agent, result)) return;
  const auto& kept = inventories_.find(result.host)->result;
  const auto host = grants_.hostOf(result.host);
  if (world_.hardware != nullptr && host && kept->outcome == "done") {
    const auto readAt = runtime_.clock.now() - std::max(base::Duration{}, base::fromMilliseconds(result.ageMs));
    const bool isOn = power == bmc::Power::on;  // of a host that is off many BMCs tell little
    const auto taken = world_.hardware->take(result.host, served->key, kept->inventory, readAt, isOn);
    tellChanges(world_.events, *host, taken.changes);
  }
  world_.wake(served->key);
}

void Jobs::forgetHardware(const std::string& uid) {
  if (world_.hardware != nullptr) world_.hardware->forget(uid);
}

bool Jobs::preparesBoots(const std::string& uid) const {
  const auto* connection = grants_.server(uid);
  return connection != nullptr && connection->preparesBoots;
}

const AskedBoot& Jobs::askForBoot(const std::string& uid, const bmc::BootPlan& plan) {
  const auto now = runtime_.clock.now();
  auto& asked = boots_.ask(uid, plan, now);
  const auto* connection = grants_.serverToAsk(uid);
  if (connection != nullptr) asked.waited.look(now);
  if (!isDue(asked, connection, now)) return asked;
  const wire::BootRequest request{.host = uid,
                                  .token = grants_.nextCommand(uid),
                                  .image = plan.image,
                                  .mayStay = plan.mayStay,
                                  .whileOff = plan.whileOff,
                                  .device = std::string(toText(plan.setting.device)),
                                  .persistent = plan.setting.persistent,
                                  .mode = std::string(plan.setting.mode ? toText(*plan.setting.mode) : "")};
  if (!conversation_.send(*connection, request)) return asked;
  if (connection->peer != asked.peer) asked.waited = WaitTime(now);
  noteAsked(asked, grants_.find(uid)->agent, *connection, request.token, now + bootAnswerWithin);
  return asked;
}

void Jobs::onBoot(const Connection& from, const wire::BootResult& result) {
  const auto* served = grants_.servedBy(from, result.host);
  if (served != nullptr && boots_.answered(served->agent, result, runtime_.clock.now())) world_.wake(served->key);
}

bool Jobs::erasesDrives(const std::string& uid) const {
  const auto* connection = grants_.server(uid);
  return connection != nullptr && connection->erasesDrives;
}

const AskedErasure& Jobs::askForErasure(const std::string& uid, const EraseAsk& ask) {
  const auto now = runtime_.clock.now();
  auto& asked = erasures_.ask(uid, ask, now);
  const auto* connection = grants_.serverToAsk(uid);
  if (connection != nullptr) asked.idle.look(now);
  if (!isDue(asked, connection, now) || !mayOrder(uid, ask)) return asked;
  const auto request = requestFor(uid, ask);
  if (!conversation_.send(*connection, request)) return asked;
  noteAsked(asked, grants_.find(uid)->agent, *connection, request.token, now + eraseAnswerWithin);
  return asked;
}

wire::EraseRequest Jobs::requestFor(const std::string& uid, const EraseAsk& ask) {
  wire::EraseRequest request{.host = uid,
                             .token = grants_.nextCommand(uid),
                             .job = ask.job,
                             .resumeOnly = ask.resumeOnly,
                             .machineSerial = ask.order.machineSerial,
                             .depth = std::string(toText(ask.order.depth)),
                             .depths = worded(ask.order.depths),
                             .known = ask.order.known,
                             .confirms = -1};
  for (const auto step : ask.order.steps) request.steps.emplace_back(toText(step));
  return request;
}

// A pass may have begun before the host was changed.
bool Jobs::mayOrder(const std::string& uid, const EraseAsk& ask) const {
  const auto host = grants_.hostOf(uid);
  return ask.resumeOnly || (host && stillOrders(*host, ask.order));
}

void Jobs::onEraseConfirm(const Connection& from, const wire::EraseConfirm& confirm) {
  auto* asked = erasures_.find(confirm.host);
  const bool isAsked =
      asked != nullptr && !asked->result && asked->ask.job == confirm.job && asked->tokens.contains(confirm.token);
  if (!isAsked || grants_.serverToAsk(confirm.host) != &from) return;
  auto ask = asked->ask;
  ask.resumeOnly = ask.resumeOnly || !mayOrder(confirm.host, ask);
  auto request = requestFor(confirm.host, ask);
  request.confirms = confirm.id;
  if (!conversation_.send(from, request)) return;
  asked->tokens.insert(request.token);
  while (asked->tokens.size() > mostTokens) asked->tokens.erase(asked->tokens.begin());
}

void Jobs::onErasure(const Connection& from, const wire::EraseReport& report) {
  const auto* served = grants_.servedBy(from, report.host);
  if (served != nullptr && erasures_.answered(served->agent, report, runtime_.clock.now())) world_.wake(served->key);
}

void Jobs::forget(const std::string& uid) {
  inventories_.forget(uid);
  boots_.forget(uid);
  erasures_.forget(uid);
}

}  // namespace ingot::coordinator::agents
