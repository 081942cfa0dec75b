#include "coordinator/agents/grants.hpp"

#include "coordinator/agents/approval.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration graceForAgents = std::chrono::seconds(15);  // to come back to a new coordinator

}  // namespace

Grants::Grants(base::Runtime runtime, const AgentWorld& world, const AgentTiming& timing, Conversation& conversation,
               GrantListener listener)
    : runtime_(std::move(runtime)),
      world_(world),
      timing_(timing),
      conversation_(conversation),
      listener_(std::move(listener)),
      leases_(timing.lease, world.term, runtime_.clock.now(), true),
      record_(runtime_, world.client, world.agents, {.term = world.term, .key = world.key}),
      ironic_(timing.afterIronic),
      byUid_(world.hosts, [](const api::BareMetalHost& host) { return std::vector{host.metadata.uid}; }),
      hosts_(world.hosts),
      startedAt_(runtime_.clock.now()),
      earlierUntil_(startedAt_ + timing.lease.ttl + timing.lease.margin),
      review_(runtime_.executor),
      keepRecords_(runtime_.executor) {
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

void Grants::begin() { noteRecord(); }

base::Task<void> Grants::somethingToReview() {
  if (!allChanged_ && changed_.empty()) co_await review_.waitUntil(runtime_.clock, nextFull_);
}

void Grants::lookAgain(const kube::ObjectKey& host) {
  changed_.insert(host);
  review_.notifyAll();
}

void Grants::lookAgainAtAll() {
  allChanged_ = true;
  review_.notifyAll();
}

base::Task<void> Grants::keepRecords() {
  while (true) {
    co_await record_.write([this](const auto& agent) { return recordNeed(agent); });
    co_await conversation_.writeAgents(hostsByAgent());
    co_await runtime_.clock.sleepFor(timing_.rest);
    co_await keepRecords_.waitUntil(runtime_.clock, runtime_.clock.now() + timing_.tick - timing_.rest);
  }
}

std::map<std::string, int> Grants::hostsByAgent() const {
  std::map<std::string, int> hosts;
  for (const auto& [uid, served] : served_)
    if (!served.agent.empty()) ++hosts[served.agent];
  return hosts;
}

// Agents that an earlier coordinator may have given rights. One that we wrote down ourselves obeys us anyhow. What
// cannot be read may be one more, of an unknown key: then only time tells that its leases are over.
void Grants::noteRecord() {
  auto keys = record_.keys();
  for (const auto& agent : world_.agents.all())
    if (keys.contains(agent->spec.publicKey)) firstBoots_.try_emplace(agent->spec.publicKey, agent->status.bootID);
  if (world_.agents.unreadable().empty()) leases_.earlier().onRecord(std::move(keys));
}

// The word of a process counts for the one that was given rights only if that one is itself, or over.
void Grants::noteSettled(const Connection& from, const wire::Heartbeat& heartbeat) {
  const auto first = firstBoots_.find(from.publicKey);
  const bool speaksForIt = first == firstBoots_.end() || first->second.empty() || provesEnd(from, first->second);
  if (heartbeat.term != world_.term || !speaksForIt || conversation_.isStranger(from.publicKey)) return;
  if (leases_.earlier().settled(from.publicKey, {heartbeat.acting.begin(), heartbeat.acting.end()})) lookAgainAtAll();
}

RecordNeed Grants::recordNeed(const api::ProvisioningAgent& agent) const {
  const auto now = runtime_.clock.now();
  const bool earlier = !leases_.earlier().overFor(agent.spec.publicKey, now);
  return {.wanted = conversation_.isUsable(agent),
          .mayHold = earlier || leases_.mayHoldLease(agent.metadata.name, now)};
}

bool Grants::isOnRecord(const std::string& agentName) const {
  const auto agent = world_.agents.find({"", agentName});
  const auto* connection = agent ? conversation_.of(*agent) : nullptr;
  return connection != nullptr && record_.holds(*agent) && agent->status.bootID == connection->boot;
}

void Grants::onHello(const Connection& from, const std::string& name, bool isReplaced) {
  for (auto& [uid, served] : served_)
    if (served.agent == name) served.grantAnew = true;
  if (isReplaced) reportReplaced(from);
  if (!isOnRecord(name)) keepRecords_.notifyAll();
  lookAgainAtAll();
}

void Grants::reportReplaced(const Connection& connection) {
  const auto agent = conversation_.agentOf(connection);
  if (!agent || !leases_.mayHoldLease(agent->metadata.name, runtime_.clock.now())) return;
  const std::string text = fmt::format(
      "the agent came back as another process, which cannot prove that the one before it has ended; what that one "
      "served waits until its leases have run out ({} s). If two processes use one key, give each a key of its own",
      (timing_.lease.ttl + timing_.lease.margin) / std::chrono::seconds(1));
  runtime_.log.warn(text, {{"agent", agent->metadata.name}});
  world_.events.warning(kube::referenceTo(*agent), "ProcessReplaced", text);
}

void Grants::onHeartbeat(Connection& from, const wire::Heartbeat& heartbeat) {
  from.stampMs = std::max(from.stampMs, heartbeat.stampMs);
  from.lag = from.transit.arrived(heartbeat.stampMs, from.lastHeard);
  noteSettled(from, heartbeat);
  const auto name = conversation_.nameOf(from);
  if (name.empty() || !from.toldApproved) conversation_.sendWelcome(from);  // it learns of an approval, or of its loss
  if (name.empty()) return;
  wire::Renew renew{
      .term = world_.term, .echoMs = from.stampMs, .ttlMs = timing_.lease.ttl / std::chrono::milliseconds(1)};
  for (auto& [host, lease] : leases_.renew(holderName(name, from.incarnation), runtime_.clock.now())) {
    renew.leases.push_back({host, lease});
    if (renew.leases.size() < wire::mostRenewed) continue;
    conversation_.send(from, renew);
    renew.leases.clear();
  }
  conversation_.send(from, renew);
}

// It is given nothing more until its next process says hello. Its rights are taken back here, so that the idle that it
// says of each host counts.
void Grants::onLeaving(Connection& from) {
  from.isLeaving = true;
  const auto name = conversation_.nameOf(from);
  runtime_.log.info("agent leaves", {{"agent", name}});
  for (auto& [uid, served] : served_) {
    if (served.agent != name) continue;
    static_cast<void>(leases_.revoke(uid));
    served.granted.mayAct = false;
    served.settledOn.reset();
  }
  lookAgainAtAll();
}

void Grants::onIdle(const Connection& from, const wire::Idle& idle) {
  const auto holder = holderName(conversation_.anyNameOf(from), from.incarnation);
  if (!leases_.idle(idle.host, holder, {idle.term, idle.lease, 0}, idle.wasHolder)) return;
  if (const auto* served = find(idle.host)) {
    world_.wake(served->key);
    lookAgain(served->key);
  }
}

bool Grants::acquireBmc(const std::string& uid) {
  stopServing(uid, false);
  const bool isQuiet = quiet(uid);
  ironic_.asked(uid, isQuiet, runtime_.clock.now());
  return isQuiet;
}

void Grants::releaseBmc(const std::string& uid) { ironic_.answered(uid, runtime_.clock.now()); }

bool Grants::serves(const std::string& uid) const {
  const auto* connection = server(uid);
  return connection != nullptr && conversation_.isAlive(*connection);
}

Grants::Server Grants::serverOf(const std::string& uid) const {
  const auto* served = find(uid);
  if (served == nullptr) return {};
  const auto* connection = server(uid);
  return {.name = served->agent, .software = connection == nullptr ? std::string() : connection->software};
}

bool Grants::canCommand(const std::string& uid) const {
  const auto lease = leases_.find(uid);
  return lease && lease->mayAct && serves(uid);
}

bool Grants::expected(const kube::ObjectKey& key) const {
  const auto host = world_.hosts.find(key);
  return host && route(routeOf(*host), conversation_.candidates()).has_value();
}

bool Grants::mayStillCome(const std::string& uid) const {
  const auto host = hostOf(uid);
  if (!host || runtime_.clock.now() - startedAt_ > graceForAgents) return false;
  const auto wanted = routeOf(*host);
  return std::ranges::any_of(world_.agents.all(), [&](const auto& agent) {
    return conversation_.isApproved(*agent) && !agent->spec.drain && mayServe(candidateOf(*agent), wanted);
  });
}

bool Grants::quiet(const std::string& uid) const { return leases_.quiet(uid, runtime_.clock.now()); }

const Served* Grants::find(const std::string& uid) const {
  const auto found = served_.find(uid);
  return found == served_.end() ? nullptr : &found->second;
}

const Served* Grants::servedBy(const Connection& agent, const std::string& uid) const {
  const auto* served = find(uid);
  const bool isServed = served != nullptr && !served->agent.empty();
  return isServed && served->agent == conversation_.nameOf(agent) ? served : nullptr;
}

const Served* Grants::learntBy(const Connection& agent, const std::string& uid, const wire::Token& grant) const {
  const auto* served = servedBy(agent, uid);
  const auto lease = leases_.find(uid);
  if (served == nullptr || !lease) return nullptr;
  const wire::Token latest{lease->token.term, lease->token.lease, 0};
  return grant < served->accessGrant || latest < grant ? nullptr : served;
}

bool Grants::isThere(const std::string& uid) const {
  const auto* served = find(uid);
  return served != nullptr && hosts_.find(served->key, uid) != nullptr;
}

const Connection* Grants::server(const std::string& uid) const {
  const auto* served = find(uid);
  return served == nullptr || served->agent.empty() ? nullptr : conversation_.of(served->agent);
}

const Connection* Grants::serverToAsk(const std::string& uid) const {
  const auto* served = find(uid);
  if (served == nullptr || !canCommand(uid)) return nullptr;
  const auto* host = hosts_.find(served->key, uid);
  if (host == nullptr || ownerOf(*host) != ownership::Owner::agent) return nullptr;
  return server(uid);
}

std::shared_ptr<const api::BareMetalHost> Grants::hostOf(const std::string& uid) const {
  const auto& keys = byUid_.find(uid);
  return keys.empty() ? nullptr : world_.hosts.find(*keys.begin());
}

void Grants::grantAnew(const std::string& uid) {
  const auto found = served_.find(uid);
  if (found == served_.end()) return;
  found->second.grantAnew = true;
  lookAgain(found->second.key);
}

std::int64_t Grants::sensorPollMs(const std::string& address) const {
  return world_.readings == nullptr ? 0 : intervalBehind(address, timing_.sensorPollMs);
}

std::int64_t Grants::logPollMs(const std::string& address) const {
  return world_.logs == nullptr ? 0 : intervalBehind(address, timing_.logPollMs);
}

std::int64_t Grants::inventoryPollMs(const std::string& address) const {
  constexpr std::int64_t day = 24LL * 3600 * 1000;  // there is little of it, and each piece is a run of ipmitool
  if (world_.hardware == nullptr || timing_.inventoryPollMs == 0) return 0;
  return speaksIpmi(address) ? std::max(timing_.inventoryPollMs, day) : timing_.inventoryPollMs;
}

}  // namespace ingot::coordinator::agents
