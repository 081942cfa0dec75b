#include "coordinator/agents/facts.hpp"

#include "base/cut_text.hpp"
#include "base/milliseconds.hpp"
#include "coordinator/agents/bounded_inventory.hpp"
#include "coordinator/agents/hardware_news.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration lostGrantAfter = std::chrono::seconds(3);  // agents answer at once
constexpr std::int64_t everyLease = std::numeric_limits<std::int64_t>::max();
constexpr int believedIntervals = 3;
constexpr base::Duration toldFor = std::chrono::minutes(3);  // an ill BMC is polled every 30 s
constexpr std::size_t longestLogName = 128;
constexpr base::Duration longestPause = std::chrono::hours(4);  // between two readings that an agent announces

std::string sentenceOf(const std::string& log, const bmc::LogEntry& entry) {
  const auto made = entry.created.empty() ? std::string() : ", " + entry.created;
  return fmt::format("{} ({}, entry {}{})", entry.message, log, entry.id, made);
}

}  // namespace

Facts::Facts(base::Runtime runtime, const AgentWorld& world, const AgentTiming& timing, Conversation& conversation,
             Grants& grants)
    : runtime_(std::move(runtime)),
      world_(world),
      timing_(timing),
      conversation_(conversation),
      grants_(grants),
      store_(timing.facts) {}

Facts::Taken Facts::onFacts(Connection& from, const wire::Facts& facts) {
  const auto now = runtime_.clock.now();
  from.lag = from.transit.arrived(facts.stampMs, now);
  const auto* served = servedOrRevoked(from, facts.host);
  if (served == nullptr) return Taken::whole;
  const auto latest = latestGrant(facts.host);
  // Of a grant that was never given: it would pass for a later one.
  if (latest && *latest < wire::Token{facts.term, facts.lease, 0}) return Taken::whole;
  const auto polledEach = base::fromMilliseconds(served->granted.powerPollMs);
  const auto learned = store_.learn(served->agent, from.boot, facts, now - from.lag, now, polledEach);
  took(from, *served, facts.host, learned);
  return learned.gap ? Taken::gap : Taken::whole;
}

Facts::Taken Facts::onStillFresh(Connection& from, const wire::StillFresh& fresh) {
  const auto now = runtime_.clock.now();
  from.lag = from.transit.arrived(fresh.stampMs, now);
  auto taken = Taken::whole;
  if (fresh.facts.size() > wire::mostFreshFacts) return taken;  // no agent of ours: one of them costs an answer each
  for (const auto& facts : fresh.facts) {
    const auto* served = servedOrRevoked(from, facts.host);
    if (served == nullptr) continue;
    const auto polledEach = base::fromMilliseconds(served->granted.powerPollMs);
    const auto learned = store_.refresh(served->agent, from.boot, facts, now - from.lag, now, polledEach);
    took(from, *served, facts.host, learned);
    if (learned.gap) taken = Taken::gap;
  }
  return taken;
}

// nullptr: it lost the host while it could not be told, or is about to be told.
const Served* Facts::servedOrRevoked(const Connection& from, const std::string& uid) {
  const auto* served = grants_.servedBy(from, uid);
  if (served != nullptr || runtime_.clock.now() - from.since <= lostGrantAfter) return served;
  const auto latest = latestGrant(uid);
  conversation_.send(
      from,
      wire::Revoke{.host = uid, .term = world_.term, .lease = latest ? latest->lease : everyLease, .forget = true});
  return nullptr;
}

void Facts::took(const Connection& from, const Served& served, const std::string& uid,
                 const FactStore::Learned& learned) {
  if (learned.taken) noteReading(uid, served.key);
  if (learned.gap) conversation_.send(from, wire::SnapshotRequest{.host = uid});
  const auto* known = store_.find(uid);
  const auto latest = latestGrant(uid);
  const bool isBehind = known != nullptr && latest && known->grant < *latest;
  if (isBehind && runtime_.clock.now() - served.grantedAt > lostGrantAfter) grants_.grantAnew(uid);
  if (learned.changed) world_.wake(served.key);
}

std::optional<wire::Token> Facts::latestGrant(const std::string& uid) const {
  const auto lease = grants_.lease(uid);
  return lease ? std::optional(wire::Token{lease->token.term, lease->token.lease, 0}) : std::nullopt;
}

const HostFacts* Facts::find(const std::string& uid) const {
  const auto* served = grants_.find(uid);
  const auto* facts = store_.find(uid);
  return served != nullptr && facts != nullptr && facts->grant >= served->accessGrant ? facts : nullptr;
}

bmc::Power Facts::power(const std::string& uid) const {
  return find(uid) == nullptr ? bmc::Power::unknown : store_.power(uid, runtime_.clock.now());
}

bmc::Health Facts::health(const std::string& uid) const {
  return find(uid) == nullptr ? bmc::Health::unknown : store_.health(uid, runtime_.clock.now());
}

Facts::Knowledge Facts::knowledgeOfHealth(const std::string& uid) const {
  const auto* facts = find(uid);
  if (facts == nullptr || !facts->healthAt || facts->health == bmc::Health::unknown) return Knowledge::none;
  return health(uid) == bmc::Health::unknown ? Knowledge::old : Knowledge::fresh;
}

void Facts::onSensors(const Connection& from, const wire::SensorFacts& facts) {
  const auto* served = grants_.learntBy(from, facts.host, {facts.term, facts.lease, 0});
  if (world_.readings == nullptr || served == nullptr) return;
  // A BMC that takes long for them is asked less often than was wanted.
  const auto nextIn = std::clamp(base::fromMilliseconds(facts.nextInMs), base::Duration{}, longestPause);
  const auto interval = std::max(base::fromMilliseconds(grants_.sensorPollMs(served->granted.access.address)), nextIn);
  world_.readings->take(facts.host, served->key, facts, believedIntervals * interval, runtime_.clock.now());
}

// Told at each poll, so that one that is not told for long says that nobody looks.
void Facts::noteReading(const std::string& uid, const kube::ObjectKey& host) {
  const auto* facts = store_.find(uid);
  if (world_.readings == nullptr || facts == nullptr) return;
  const auto until = [](const std::optional<base::MonoTime>& at, base::Duration limit) {
    return at ? *at + limit : base::MonoTime{};
  };
  world_.readings->note(uid, host,
                        {.power = facts->power,
                         .health = facts->health,
                         .bmcAnswers = facts->bmcErrorCode.empty(),
                         .bootProgress = facts->bootProgress,
                         .bmcErrorCode = facts->bmcErrorCode,
                         .bmcError = facts->bmcError,
                         .unread = facts->unread},
                        {.power = until(facts->powerAt, facts->powerLimit),
                         .health = until(facts->healthAt, timing_.facts.health),
                         .told = runtime_.clock.now() + std::max(toldFor, facts->powerLimit)});
}

// News become Events, the latest are kept for who asks.
void Facts::onLog(const Connection& from, const wire::LogFacts& facts) {
  const auto* served = grants_.learntBy(from, facts.host, {facts.term, facts.lease, 0});
  const auto host = served != nullptr ? grants_.hostOf(facts.host) : nullptr;
  if (world_.logs == nullptr || !host) return;
  const std::string log = base::oneLine(facts.log, longestLogName);
  const auto news = world_.logs->take(facts.host, served->key, facts, runtime_.clock.now());
  for (const auto& entry : news.shown)
    world_.events.warning(kube::referenceTo(*host), entry.severity == "Critical" ? "BMCLogCritical" : "BMCLogWarning",
                          sentenceOf(log, entry));
  if (news.withheld > 0)
    world_.events.warning(
        kube::referenceTo(*host), "BMCLogWarning",
        fmt::format("{} more entries of the BMC's log are not shown as Events: see ingotctl logs", news.withheld));
  conversation_.send(from,
                     wire::LogAcknowledge{.host = facts.host, .log = facts.log, .end = bmc::endOf(facts.entries)});
}

void Facts::onHardware(const Connection& from, wire::HardwareFacts facts) {
  const auto* served = grants_.learntBy(from, facts.host, {facts.term, facts.lease, 0});
  const auto host = served != nullptr ? grants_.hostOf(facts.host) : nullptr;
  if (world_.hardware == nullptr || !host) return;
  bound(facts.inventory);
  const auto now = runtime_.clock.now();
  const auto readAt = now - std::max(base::Duration{}, base::fromMilliseconds(facts.ageMs));
  auto taken = world_.hardware->take(facts.host, served->key, facts.inventory, readAt);
  tellChanges(world_.events, *host, taken.changes);
  if (world_.readings == nullptr || (!taken.isKept && !taken.isPart)) return;
  const auto believed = believedIntervals * base::fromMilliseconds(timing_.inventoryPollMs);
  auto parts = std::move(facts.inventory.components);
  if (readAt - taken.untoldAt < believed) std::ranges::move(taken.untold, std::back_inserter(parts));
  world_.readings->takeComponents(facts.host, served->key, std::move(parts), readAt + believed);
}

void Facts::wakeExpired() {
  for (const auto& uid : store_.expired(runtime_.clock.now()))
    if (const auto* served = grants_.find(uid)) world_.wake(served->key);
}

void Facts::forget(const std::string& uid) {
  store_.forget(uid);
  forgetReadings(uid);
  forgetLogs(uid);
}

void Facts::forgetReadings(const std::string& uid) {
  if (world_.readings != nullptr) world_.readings->forget(uid);
}

void Facts::forgetLogs(const std::string& uid) {
  if (world_.logs != nullptr) world_.logs->forget(uid);
}

}  // namespace ingot::coordinator::agents
