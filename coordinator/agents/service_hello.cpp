// How a conversation with an agent begins.
#include "base/cut_text.hpp"
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration betweenHellos = std::chrono::seconds(2);
constexpr std::size_t mostHelloRequests = 2000;
constexpr std::size_t longestWord = 128;  // bytes of what an agent says of itself: it is written to the API
constexpr base::Duration betweenTurnedAway = std::chrono::minutes(10);  // words in the log

std::string_view text(Standing standing) {
  switch (standing) {
    case Standing::approved: return "approved";
    case Standing::pending: return "pending";
    case Standing::refused: return "refused";
  }
  return "refused";
}

// Who is not approved yet may say anything, and people read it beside the fingerprint: one word of visible ASCII.
std::string softwareFrom(const wire::Hello& hello) {
  std::string word = base::cutText(hello.software, longestWord);
  std::ranges::replace_if(word, [](char c) { return c <= ' ' || c > '~'; }, '?');
  return word;
}

bool can(const wire::Hello& hello, std::string_view capability) {
  return std::ranges::find(hello.capabilities, capability) != hello.capabilities.end();
}

}  // namespace

// The agent is asked only once in a while, because a connection that comes back may bring thousands of waiting
// messages.
void AgentService::askForHello(const wire::Incoming& from) {
  const auto now = runtime_.clock.now();
  if (helloRequests_.size() > mostHelloRequests) helloRequests_.clear();
  auto& asked = helloRequests_[from.publicKey];
  if (asked.peer == from.peer && now - asked.at < betweenHellos) return;
  asked = {from.peer, now};
  world_.link.send(from.peer, wire::encode(wire::Welcome{.state = "pending", .term = world_.term, .sayHello = true}));
}

void AgentService::greet(const wire::Incoming& from, const wire::Hello& hello) {
  const auto now = runtime_.clock.now();
  const std::string boot = base::cutText(hello.boot, longestWord);
  const auto* before = roster_.byKey(from.publicKey);
  const bool again = before != nullptr && before->boot == boot && before->peer == from.peer;
  const int incarnation = before != nullptr ? before->incarnation : 0;
  auto* connection = roster_.welcome({.peer = from.peer,
                                      .publicKey = from.publicKey,
                                      .name = hello.name,
                                      .boot = boot,
                                      .software = softwareFrom(hello),
                                      .ended = hello.ended,
                                      .readsInventories = can(hello, wire::inventoryCapability),
                                      .preparesBoots = can(hello, wire::bootCapability),
                                      .erasesDrives = can(hello, wire::eraseCapability),
                                      .stampMs = hello.stampMs,
                                      .lastHeard = now,
                                      .since = again ? before->since : now},
                                     [this](const std::string& key) { return isStranger(key); });
  if (connection == nullptr) return turnAway(from);
  connection->transit.arrived(hello.stampMs, now);
  sendWelcome(*connection);
  const auto name = nameOf(*connection);
  if (name.empty()) return;
  for (auto& [uid, served] : served_)
    if (served.agent == name) served.grantAnew = true;
  askAfterCommands(*connection, name);
  if (!again) runtime_.log.info("agent connected", {{"agent", name}});
  reportConflicts(*connection, hello, before != nullptr && connection->incarnation != incarnation);
  if (!isOnRecord(name)) keepRecords_.notifyAll();
  lookAgainAtAll();
}

void AgentService::turnAway(const wire::Incoming& from) {
  const auto now = runtime_.clock.now();
  const std::string reason = fmt::format(
      "{} agents that nobody has approved are connected already: approve or stop some of them, or record this one's "
      "key in a ProvisioningAgent that is approved",
      Roster::mostStrangers);
  world_.link.send(from.peer, wire::encode(wire::Welcome{.state = "refused", .reason = reason, .term = world_.term}));
  if (turnedAwayTold_ && now - *turnedAwayTold_ < betweenTurnedAway) return;
  turnedAwayTold_ = now;
  runtime_.log.warn("turned an unknown agent away",
                    {{"fingerprint", wire::fingerprint(from.publicKey)}, {"reason", reason}});
}

void AgentService::reportConflicts(const Connection& connection, const wire::Hello& hello, bool replaced) {
  const auto agent = registrar_.find(connection.publicKey);
  if (!agent) return;
  if (replaced && leases_.mayHoldLease(agent->metadata.name, runtime_.clock.now())) {
    const std::string text = fmt::format(
        "the agent came back as another process, which cannot prove that the one before it has ended; what that one "
        "served waits until its leases have run out ({} s). If two processes use one key, give each a key of its own",
        (timing_.lease.ttl + timing_.lease.margin) / std::chrono::seconds(1));
    runtime_.log.warn(text, {{"agent", agent->metadata.name}});
    world_.events.warning(kube::referenceTo(*agent), "ProcessReplaced", text);
  }
  if (hello.term <= world_.term || !termTold_.insert(connection.publicKey).second) return;
  const std::string text = fmt::format(
      "the agent obeys only coordinators from term {} on, and this is term {}: the coordinator's data or its Lease was "
      "lost; stop the agent, remove the folder journal in its data folder, start it again",
      hello.term, world_.term);
  runtime_.log.error(text, {{"agent", agent->metadata.name}});
  world_.events.warning(kube::referenceTo(*agent), "LaterTermSeen", text);
}

// What was on its way when the connection broke may be lost; the agent's results come without being asked for.
void AgentService::askAfterCommands(const Connection& agent, const std::string& name) {
  for (const auto& query : commands_.underWayAt(name, runtime_.clock.now())) send(agent, query);
}

void AgentService::sendWelcome(Connection& to) {
  const auto admission = registrar_.admit(to);
  to.toldApproved = admission.standing == Standing::approved;
  send(to,
       wire::Welcome{.state = std::string(text(admission.standing)), .reason = admission.reason, .term = world_.term});
}

}  // namespace ingot::coordinator::agents
