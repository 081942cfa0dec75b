#include "coordinator/agents/conversation.hpp"

#include "api/bmh/names.hpp"
#include "base/cut_text.hpp"
#include "base/yield.hpp"
#include "coordinator/agents/approval.hpp"
#include "coordinator/agents/lease_record.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration betweenHellos = std::chrono::seconds(2);
constexpr std::size_t mostHelloRequests = 2000;
constexpr std::size_t longestWord = 128;  // bytes of what an agent says of itself: it is written to the API
constexpr int messagesATurn = 64;
constexpr std::int64_t creditAhead = 1 << 20;  // bytes: what a coordinator that was paused finds in front of news

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

Conversation::Conversation(base::Runtime runtime, const AgentWorld& world)
    : runtime_(std::move(runtime)), world_(world), registrar_(runtime_, world.client, world.agents, world.events) {}

Conversation::~Conversation() {
  world_.link.admit(nullptr);
  world_.link.setKnown(nullptr);
}

base::Task<void> Conversation::listen(Listener listener) {
  world_.link.setKnown([this](const std::string& publicKey) { return !isStranger(publicKey); });
  world_.link.admit([this](const std::string& publicKey) {
    return !isStranger(publicKey) || strangers_.admitsConnection(runtime_.clock.now());
  });
  for (int heard = 1;; ++heard) {
    const auto incoming = co_await world_.link.receive();
    if (heard % messagesATurn == 0) co_await base::yieldToLoop();  // a flood keeps nothing else waiting
    hear(incoming, listener);
  }
}

void Conversation::hear(const wire::Incoming& incoming, const Listener& listener) {
  const auto now = runtime_.clock.now();
  if (isStranger(incoming.publicKey) && !strangers_.admitsMessage(incoming.publicKey, incoming.bytes.size(), now))
    return;
  try {
    const auto message = wire::decode(incoming.bytes);
    if (!message) return;
    if (const auto* hello = std::get_if<wire::Hello>(&*message)) {
      greet(incoming, *hello, listener);
    } else if (auto* connection = roster_.find(incoming.publicKey, incoming.peer)) {
      connection->lastHeard = now;
      take(*connection, incoming, *message, listener);
    } else {
      askForHello(incoming);
    }
  } catch (const std::exception& error) {  // what one agent says never ends the service of the others
    runtime_.log.warn("dropped a message of an agent",
                      {{"fingerprint", wire::fingerprint(incoming.publicKey)}, {"error", error.what()}});
  }
}

void Conversation::take(Connection& from, const wire::Incoming& incoming, const wire::Message& message,
                        const Listener& listener) {
  if (wire::isPatient(message)) {
    from.taken += static_cast<std::int64_t>(incoming.bytes.size());
    if (from.version >= 2 && from.credit - from.taken <= creditAhead / 2) giveCredit(from);
  }
  const auto* piece = std::get_if<wire::Piece>(&message);
  if (piece == nullptr) return listener.message(from, message);
  if (isStranger(from.publicKey)) return;
  const auto bytes = from.pieces.add(*piece);
  const auto whole = bytes ? wire::decode(*bytes, wire::longestWhole) : std::nullopt;
  if (whole && wire::mayGoInPieces(*whole)) listener.message(from, *whole);
}

void Conversation::giveCredit(Connection& to) {
  to.credit = to.taken + creditAhead;
  send(to, wire::Credit{.helloMs = to.helloMs, .bytes = to.credit});
}

// What was lost on the way, in either direction, is put right: what it has sent before has come by now, or never will.
void Conversation::settleCredit(Connection& with, const wire::Heartbeat& heartbeat) {
  if (with.version < 2) return;
  with.taken = heartbeat.spent;
  if (heartbeat.queued > 0) giveCredit(with);
}

// The agent is asked only once in a while, because a connection that comes back may bring thousands of waiting
// messages.
void Conversation::askForHello(const wire::Incoming& from) {
  const auto now = runtime_.clock.now();
  if (helloRequests_.size() > mostHelloRequests) helloRequests_.clear();
  auto& asked = helloRequests_[from.publicKey];
  if (asked.peer == from.peer && now - asked.at < betweenHellos) return;
  asked = {from.peer, now};
  world_.link.send(from.peer, wire::encode(wire::Welcome{.state = "pending", .term = world_.term, .sayHello = true}));
}

void Conversation::greet(const wire::Incoming& from, const wire::Hello& hello, const Listener& listener) {
  const auto now = runtime_.clock.now();
  const auto version = wire::commonVersion(hello.version, hello.newest == 0 ? hello.version : hello.newest);
  if (!version) return turnAwayForVersion(from, hello);
  const std::string boot = base::cutText(hello.boot, longestWord);
  const auto* before = roster_.byKey(from.publicKey);
  const bool wasHere = before != nullptr;
  const bool again = wasHere && before->boot == boot && before->peer == from.peer;
  const int incarnation = wasHere ? before->incarnation : 0;
  auto* connection = roster_.welcome({.peer = from.peer,
                                      .publicKey = from.publicKey,
                                      .name = hello.name,
                                      .boot = boot,
                                      .software = softwareFrom(hello),
                                      .ended = hello.ended,
                                      .readsInventories = can(hello, wire::inventoryCapability),
                                      .preparesBoots = can(hello, wire::bootCapability),
                                      .erasesDrives = can(hello, wire::eraseCapability),
                                      .version = *version,
                                      .helloMs = hello.stampMs,
                                      .stampMs = hello.stampMs,
                                      .lastHeard = now,
                                      .since = again ? before->since : now},
                                     [this](const std::string& key) { return isStranger(key); });
  if (connection == nullptr) return turnAwayForRoom(from);
  connection->transit.arrived(hello.stampMs, now);
  sendWelcome(*connection);
  const auto name = nameOf(*connection);
  if (name.empty()) return;
  if (!again) runtime_.log.info("agent connected", {{"agent", name}});
  reportLaterTerm(*connection, hello);
  listener.hello(*connection, name, wasHere && connection->incarnation != incarnation);
}

void Conversation::turnAwayForVersion(const wire::Incoming& from, const wire::Hello& hello) {
  turnAway(
      from, versionWords_,
      fmt::format("the agent speaks versions {} to {} of the protocol, this coordinator {} to {}: install matching "
                  "versions",
                  hello.version, std::max(hello.version, hello.newest), wire::oldestVersion, wire::newestVersion));
}

void Conversation::turnAwayForRoom(const wire::Incoming& from) {
  const std::string reason = fmt::format(
      "{} agents that nobody has approved are connected already: approve or stop some of them, or record this one's "
      "key in a ProvisioningAgent that is approved",
      Roster::mostStrangers);
  turnAway(from, roomWords_, reason);
}

void Conversation::turnAway(const wire::Incoming& from, base::Pace& words, const std::string& reason) {
  world_.link.send(from.peer, wire::encode(wire::Welcome{.state = "refused", .reason = reason, .term = world_.term}));
  if (!words.takeNow(runtime_.clock.now())) return;
  runtime_.log.warn("turned an agent away", {{"fingerprint", wire::fingerprint(from.publicKey)}, {"reason", reason}});
}

void Conversation::reportLaterTerm(const Connection& connection, const wire::Hello& hello) {
  const auto agent = agentOf(connection);
  if (!agent || hello.term <= world_.term || !termTold_.insert(connection.publicKey).second) return;
  const std::string text = fmt::format(
      "the agent obeys only coordinators from term {} on, and this is term {}: the coordinator's data or its Lease was "
      "lost, or the agent belongs to another one; where it shall obey this one: kubectl annotate --overwrite "
      "provisioningagent {} {}={} (a term above the seconds since 1970 is none: such an agent lies)",
      hello.term, world_.term, agent->metadata.name, termAnnotation, hello.term);
  runtime_.log.error(text, {{"agent", agent->metadata.name}});
  world_.events.warning(kube::referenceTo(*agent), "LaterTermSeen", text);
}

void Conversation::sendWelcome(Connection& to) {
  const auto admission = registrar_.admit(to);
  to.toldApproved = admission.standing == Standing::approved;
  if (to.version >= 2) to.credit = to.taken + creditAhead;
  send(to, wire::Welcome{.version = to.version,
                         .state = std::string(text(admission.standing)),
                         .reason = admission.reason,
                         .term = world_.term,
                         .credit = to.credit});
}

bool Conversation::send(const Connection& to, const wire::Message& message) {
  try {
    if (world_.link.send(to.peer, wire::encode(message))) return true;
  } catch (const wire::CodecError& error) {
    runtime_.log.error("a message cannot be sent", {{"agent", to.name}, {"error", error.what()}});
    return false;
  }
  runtime_.log.debug("message dropped: the agent is gone", {{"agent", to.name}, {"kind", wire::kindOf(message)}});
  return false;
}

const Connection* Conversation::of(const std::string& agentName) const {
  const auto agent = world_.agents.find({"", agentName});
  return agent ? of(*agent) : nullptr;
}

const Connection* Conversation::of(const api::ProvisioningAgent& agent) const {
  return roster_.byKey(agent.spec.publicKey);
}

bool Conversation::isAlive(const Connection& connection) const {
  return roster_.alive(connection, runtime_.clock.now());
}

std::shared_ptr<const api::ProvisioningAgent> Conversation::agentOf(const Connection& connection) const {
  return registrar_.find(connection.publicKey);
}

std::string Conversation::anyNameOf(const Connection& connection) const {
  const auto agent = agentOf(connection);
  return agent ? agent->metadata.name : std::string();
}

std::string Conversation::nameOf(const Connection& connection) const {
  const auto agent = agentOf(connection);
  return agent && isApproved(*agent) && !agent->metadata.beingDeleted() ? agent->metadata.name : std::string();
}

std::string Conversation::holderOf(const std::string& agentName) const {
  const auto* connection = of(agentName);
  return connection == nullptr ? std::string() : holderName(agentName, connection->incarnation);
}

bool Conversation::isUsable(const api::ProvisioningAgent& agent) const {
  const auto* connection = of(agent);
  return isApproved(agent) && !agent.spec.drain && !agent.metadata.beingDeleted() && connection != nullptr &&
         isAlive(*connection);
}

// An agent that was given rights is heard until they have ended, whether it is approved or not.
bool Conversation::isStranger(const std::string& publicKey) const {
  const auto agent = registrar_.find(publicKey);
  return !agent || (!isApproved(*agent) && !kube::hasFinalizer(agent->metadata, leasesFinalizer));
}

std::vector<AgentCandidate> Conversation::candidates() const {
  std::vector<AgentCandidate> list;
  for (const auto& agent : world_.agents.all())
    if (isUsable(*agent)) {
      list.push_back(candidateOf(*agent));
      list.back().isLeaving = of(*agent)->isLeaving;
    }
  return list;
}

base::Task<void> Conversation::writeAgents(std::map<std::string, int> hostsByAgent) {
  roster_.prune(runtime_.clock.now());
  co_await registrar_.write(roster_, hostsByAgent);
}

}  // namespace ingot::coordinator::agents
