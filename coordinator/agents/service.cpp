#include "coordinator/agents/service.hpp"

#include "base/vital.hpp"
#include "base/yield.hpp"
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration lostGrantAfter = std::chrono::seconds(3);   // agents answer at once
constexpr base::Duration longestRequest = std::chrono::minutes(10);  // to Ironic; far above its client's own deadline
constexpr int messagesATurn = 64;
constexpr std::int64_t everyLease = std::numeric_limits<std::int64_t>::max();

}  // namespace

AgentTiming timingFor(const PollSeconds& poll) {
  AgentTiming timing;
  timing.powerPollMs = static_cast<std::int64_t>(poll.power * 1000);
  timing.healthPollMs = static_cast<std::int64_t>(poll.health * 1000);
  timing.sensorPollMs = static_cast<std::int64_t>(poll.sensors * 1000);
  timing.logPollMs = static_cast<std::int64_t>(poll.logs * 1000);
  // The limit is never shorter than what a BMC that is slow for a moment may need.
  timing.facts.power = std::max(timing.facts.power, base::Duration(std::chrono::milliseconds(4 * timing.powerPollMs)));
  timing.facts.health =
      std::max(timing.facts.health, base::Duration(std::chrono::milliseconds(3 * timing.healthPollMs)));
  return timing;
}

AgentService::AgentService(base::Runtime runtime, AgentWorld world, AgentTiming timing)
    : runtime_(runtime.named("agents")),
      world_(std::move(world)),
      timing_(timing),
      registrar_(runtime_, world_.client, world_.agents, world_.events),
      leases_(timing.lease, world_.term, runtime.clock.now(), true),
      record_(runtime_, world_.client, world_.agents, world_.term),
      facts_(timing.facts),
      commands_(timing.patience),
      inventories_(world_.term),
      byUid_(world_.hosts, [](const api::BareMetalHost& host) { return std::vector{host.metadata.uid}; }),
      hosts_(world_.hosts),
      startedAt_(runtime.clock.now()),
      earlierUntil_(runtime.clock.now() + timing.lease.ttl + timing.lease.margin),
      review_(runtime.executor),
      keepRecords_(runtime.executor) {
  agentsListener_ = world_.agents.listen([this](const auto&) {
    if (world_.agents.isSynced()) noteRecord();
    lookAgainAtAll();
    keepRecords_.notifyAll();
  });
  hostsListener_ = world_.hosts.listen([this](const auto& change) { lookAgain(change.key); });
  secretsListener_ = world_.secrets.listen([this](const auto& change) {
    for (const auto& host : world_.secretUsers.find(change.key)) lookAgain(host);
  });
}

AgentService::~AgentService() { world_.link.admit(nullptr); }

base::Task<void> AgentService::run() {
  co_await world_.agents.synced();
  co_await world_.hosts.synced();
  co_await world_.secrets.synced();
  noteRecord();
  noteEarlierWishes();
  world_.link.admit([this](const std::string& publicKey) {
    return !isStranger(publicKey) || strangers_.admitsConnection(runtime_.clock.now());
  });
  base::VitalTasks tasks(runtime_.executor, runtime_.log);
  tasks.spawn("listen to agents", listen());
  tasks.spawn("keep agents in step", keepInStep());
  tasks.spawn("keep records of agents", keepRecords());
  co_await tasks.run();
}

base::Task<void> AgentService::listen() {
  for (int heard = 1;; ++heard) {
    const auto incoming = co_await world_.link.receive();
    if (heard % messagesATurn == 0) co_await base::yieldToLoop();  // a flood keeps nothing else waiting
    const auto now = runtime_.clock.now();
    if (isStranger(incoming.publicKey) && !strangers_.admitsMessage(incoming.publicKey, incoming.bytes.size(), now))
      continue;
    try {
      const auto message = wire::decode(incoming.bytes);
      if (!message) continue;
      if (const auto* hello = std::get_if<wire::Hello>(&*message)) {
        greet(incoming, *hello);
      } else if (auto* connection = roster_.find(incoming.publicKey, incoming.peer)) {
        handle(*connection, *message);
      } else {
        askForHello(incoming);
      }
    } catch (const std::exception& error) {  // what one agent says never ends the service of the others
      runtime_.log.warn("dropped a message of an agent",
                        {{"fingerprint", wire::fingerprint(incoming.publicKey)}, {"error", error.what()}});
    }
  }
}

base::Task<void> AgentService::keepInStep() {
  base::MonoTime nextFull{};
  while (true) {
    const auto now = runtime_.clock.now();
    if (std::exchange(allChanged_, false) || now >= nextFull) {
      reviewAll();
      nextFull = now + timing_.tick;  // what Ironic does and who has fallen silent shows only by looking
    } else {
      reviewChanged();
    }
    for (const auto& uid : facts_.expired(now))
      if (const auto* served = findServed(uid)) world_.wake(served->key);
    co_await runtime_.clock.sleepFor(timing_.rest);  // a burst of changes is one review
    if (!allChanged_ && changed_.empty()) co_await review_.waitUntil(runtime_.clock, nextFull);
  }
}

void AgentService::lookAgain(const kube::ObjectKey& host) {
  changed_.insert(host);
  review_.notifyAll();
}

void AgentService::lookAgainAtAll() {
  allChanged_ = true;
  review_.notifyAll();
}

base::Task<void> AgentService::keepRecords() {
  while (true) {
    std::map<std::string, int> hosts;
    for (const auto& [uid, served] : served_)
      if (!served.agent.empty()) ++hosts[served.agent];
    roster_.prune(runtime_.clock.now());
    co_await record_.write([this](const auto& agent) { return recordNeed(agent); });
    co_await registrar_.write(roster_, hosts);
    co_await runtime_.clock.sleepFor(timing_.rest);
    co_await keepRecords_.waitUntil(runtime_.clock, runtime_.clock.now() + timing_.tick - timing_.rest);
  }
}

// Agents that an earlier coordinator may have given rights. One that we wrote down ourselves obeys us anyhow. What
// cannot be read may be one more, of an unknown key: then only time tells that its leases are over.
void AgentService::noteRecord() {
  auto keys = record_.keys();
  for (const auto& agent : world_.agents.all())
    if (keys.contains(agent->spec.publicKey)) firstBoots_.try_emplace(agent->spec.publicKey, agent->status.bootID);
  if (world_.agents.unreadable().empty()) leases_.earlier().onRecord(std::move(keys));
}

// The word of a process counts for the one that was given rights only if that one is itself, or over.
void AgentService::noteSettled(const Connection& from, const wire::Heartbeat& heartbeat) {
  const auto first = firstBoots_.find(from.publicKey);
  const bool speaksForIt = first == firstBoots_.end() || first->second.empty() || provesEnd(from, first->second);
  if (heartbeat.term != world_.term || !speaksForIt || isStranger(from.publicKey)) return;
  if (leases_.earlier().settled(from.publicKey, {heartbeat.acting.begin(), heartbeat.acting.end()})) lookAgainAtAll();
}

RecordNeed AgentService::recordNeed(const api::ProvisioningAgent& agent) const {
  const auto now = runtime_.clock.now();
  const bool earlier = !leases_.earlier().overFor(agent.spec.publicKey, now);
  return {.wanted = isUsable(agent), .mayHold = earlier || leases_.mayHoldLease(agent.metadata.name, now)};
}

bool AgentService::isOnRecord(const std::string& agentName) const {
  const auto agent = world_.agents.find({"", agentName});
  const auto* connection = agent ? roster_.byKey(agent->spec.publicKey) : nullptr;
  return connection != nullptr && record_.holds(*agent) && agent->status.bootID == connection->boot;
}

void AgentService::handle(Connection& from, const wire::Message& message) {
  from.lastHeard = runtime_.clock.now();
  if (const auto* heartbeat = std::get_if<wire::Heartbeat>(&message)) return onHeartbeat(from, *heartbeat);
  if (const auto* idle = std::get_if<wire::Idle>(&message)) return onIdle(from, *idle);
  if (nameOf(from).empty()) return;  // not approved: nothing it says counts
  if (std::holds_alternative<wire::Leaving>(message)) return onLeaving(from);
  if (const auto* facts = std::get_if<wire::Facts>(&message)) return onFacts(from, *facts);
  if (const auto* result = std::get_if<wire::CommandResult>(&message)) return onResult(from, *result);
  if (const auto* result = std::get_if<wire::InventoryResult>(&message)) return onInventory(from, *result);
  if (const auto* result = std::get_if<wire::BootResult>(&message)) return onBoot(from, *result);
  if (const auto* report = std::get_if<wire::EraseReport>(&message)) return onErasure(from, *report);
  if (const auto* facts = std::get_if<wire::SensorFacts>(&message)) return onSensors(from, *facts);
  if (const auto* facts = std::get_if<wire::LogFacts>(&message)) return onLog(from, *facts);
}

void AgentService::onHeartbeat(Connection& from, const wire::Heartbeat& heartbeat) {
  from.stampMs = std::max(from.stampMs, heartbeat.stampMs);
  from.lag = from.transit.arrived(heartbeat.stampMs, from.lastHeard);
  noteSettled(from, heartbeat);
  const auto name = nameOf(from);
  if (name.empty() || !from.toldApproved) sendWelcome(from);  // so that it learns of an approval, or of its loss
  if (name.empty()) return;
  wire::Renew renew{
      .term = world_.term, .echoMs = from.stampMs, .ttlMs = timing_.lease.ttl / std::chrono::milliseconds(1)};
  for (auto& [host, lease] : leases_.renew(holderName(name, from.incarnation), runtime_.clock.now())) {
    renew.leases.push_back({host, lease});
    if (renew.leases.size() < wire::mostRenewed) continue;
    send(from, renew);
    renew.leases.clear();
  }
  send(from, renew);
}

void AgentService::onFacts(Connection& from, const wire::Facts& facts) {
  const auto now = runtime_.clock.now();
  from.lag = from.transit.arrived(facts.stampMs, now);
  const auto name = nameOf(from);
  const auto found = served_.find(facts.host);
  if (found == served_.end() || found->second.agent != name) {  // it lost the host while it could not be told
    if (now - from.since > lostGrantAfter)
      send(from, wire::Revoke{.host = facts.host, .term = world_.term, .lease = everyLease, .forget = true});
    return;
  }
  Served& served = found->second;
  const auto lease = leases_.find(facts.host);
  const auto isBefore = [](const wire::Token& one, const wire::Token& other) {
    return wire::Token{one.term, one.lease, 0} < wire::Token{other.term, other.lease, 0};
  };
  const wire::Token of{facts.term, facts.lease, 0};
  if (lease && isBefore(lease->token, of)) return;  // of a grant that was never given: it would pass for a later one
  const auto learned = facts_.learn(name, from.boot, facts, now - from.lag, now);
  noteReading(facts.host, served.key);
  if (learned.gap) {
    send(from, wire::SnapshotRequest{.host = facts.host});
    askAfterCommands(from, name);
  }
  const bool behind = lease && isBefore(of, lease->token);
  if (behind && now - served.grantedAt > lostGrantAfter) {
    served.grantAnew = true;
    lookAgain(served.key);
  }
  if (learned.changed) world_.wake(served.key);
}

// It is given nothing more until its next process says hello. Its rights are taken back here, so that the idle that it
// says of each host counts.
void AgentService::onLeaving(Connection& from) {
  from.isLeaving = true;
  const auto name = nameOf(from);
  runtime_.log.info("agent leaves", {{"agent", name}});
  for (auto& [uid, served] : served_) {
    if (served.agent != name) continue;
    static_cast<void>(leases_.revoke(uid));
    served.granted.mayAct = false;
    served.settledOn.reset();
  }
  lookAgainAtAll();
}

void AgentService::onIdle(const Connection& from, const wire::Idle& idle) {
  if (!leases_.idle(idle.host, holderName(anyNameOf(from), from.incarnation), {idle.term, idle.lease, 0},
                    idle.wasHolder))
    return;
  if (const auto* served = findServed(idle.host)) {
    world_.wake(served->key);
    lookAgain(served->key);
  }
}

base::Task<bool> AgentService::acquireBmc(std::string uid) {
  ironicRequests_[uid].at = runtime_.clock.now();
  stopServing(uid, false);
  const bool quiet = leases_.quiet(uid, runtime_.clock.now());
  if (quiet) ironicRequests_[uid].underWay = true;
  co_return quiet;
}

void AgentService::releaseBmc(const std::string& uid) {
  ironicRequests_[uid] = {.at = runtime_.clock.now(), .underWay = false};
}

bool AgentService::ironicRequested(const std::string& uid) const {
  const auto found = ironicRequests_.find(uid);
  if (found == ironicRequests_.end()) return false;
  const auto age = runtime_.clock.now() - found->second.at;
  return age < (found->second.underWay ? longestRequest : timing_.afterIronic);
}

bool AgentService::send(const Connection& to, const wire::Message& message) {
  try {
    if (world_.link.send(to.peer, wire::encode(message))) return true;
  } catch (const wire::CodecError& error) {
    runtime_.log.error("a message cannot be sent", {{"agent", to.name}, {"error", error.what()}});
    return false;
  }
  runtime_.log.debug("message dropped: the agent is gone", {{"agent", to.name}, {"kind", wire::kindOf(message)}});
  return false;
}

}  // namespace ingot::coordinator::agents
