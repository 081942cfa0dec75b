#include "coordinator/agents/fact_store.hpp"

#include "base/cut_text.hpp"
#include "base/milliseconds.hpp"

namespace ingot::coordinator::agents {

namespace {

std::optional<base::MonoTime> observedAt(std::int64_t ageMs, base::MonoTime saidAt) {
  if (ageMs < 0) return std::nullopt;
  return saidAt - base::fromMilliseconds(ageMs);
}

constexpr int believedPolls = 4;
constexpr base::Duration longestGrace = std::chrono::seconds(60);

// This reading was as long on its way as the next one will be.
base::Duration graceOf(std::int64_t tookMs) {
  return std::clamp<base::Duration>(2 * base::fromMilliseconds(tookMs), base::Duration{}, longestGrace);
}

constexpr std::size_t longestToldWord = 256, longestToldError = 2048;  // bytes, as agents cut them themselves

constexpr std::size_t mostUnread = 3, longestReason = 300;

std::vector<UnreadFact> unreadIn(const wire::Facts& told, base::MonoTime saidAt) {
  std::vector<UnreadFact> unread;
  for (const auto& one : told.unread) {
    if (unread.size() == mostUnread) break;
    const auto since = saidAt - std::max(base::Duration{}, base::fromMilliseconds(one.sinceMs));
    unread.push_back({.what = base::cutText(one.what, longestToldWord),
                      .code = base::cutText(one.code, longestToldWord),
                      .error = base::oneLine(one.error, longestReason),
                      .since = since});
  }
  return unread;
}

HostFacts factsOf(const std::string& agent, const wire::Facts& told, base::MonoTime saidAt, base::Duration limit) {
  return {.agent = agent,
          .grant = {told.term, told.lease, 0},
          .power = bmc::parsePower(told.power).value_or(bmc::Power::unknown),
          .rawPower = base::cutText(told.rawPower, longestToldWord),
          .bootProgress = base::cutText(told.bootProgress, longestToldWord),
          .powerLimit = limit,
          .health = bmc::parseHealth(told.health).value_or(bmc::Health::unknown),
          .powerAt = observedAt(told.powerAgeMs, saidAt),
          .healthAt = observedAt(told.healthAgeMs, saidAt),
          .bmcErrorCode = base::cutText(told.bmcErrorCode, longestToldWord),
          .bmcError = base::cutText(told.bmcError, longestToldError),
          .vendor = base::cutText(told.vendor, longestToldWord),
          .model = base::cutText(told.model, longestToldWord),
          .serialNumber = base::cutText(told.serialNumber, longestToldWord),
          .bmcFirmware = base::cutText(told.bmcFirmware, longestToldWord),
          .unread = unreadIn(told, saidAt)};
}

bool meansSomethingElse(const HostFacts& a, const HostFacts& b) {
  return a.power != b.power || a.health != b.health || a.bmcErrorCode != b.bmcErrorCode || a.agent != b.agent ||
         a.grant != b.grant;
}

bool fresh(const std::optional<base::MonoTime>& at, base::Duration limit, base::MonoTime now) {
  return at && now - *at <= limit;
}

}  // namespace

FactStore::Learned FactStore::learn(const std::string& agent, const std::string& boot, const wire::Facts& facts,
                                    base::MonoTime saidAt, base::MonoTime now, base::Duration polledEach) {
  Entry& entry = hosts_[facts.host];
  const bool sameSource = entry.boot == boot && entry.facts.agent == agent;
  const bool begunAnew = entry.facts.grant < wire::Token{facts.term, facts.lease, 0};  // see learn()
  if (sameSource && facts.seq <= entry.seq && !begunAnew) return {};
  const bool gap = sameSource && facts.seq != entry.seq + 1;

  auto next = factsOf(agent, facts, std::min(saidAt, now), limitOf(facts.powerTookMs, polledEach));
  const bool wasUnknown = power(facts.host, now) == bmc::Power::unknown;
  const bool wasOfUnknownHealth = health(facts.host, now) == bmc::Health::unknown;
  const bool changed = meansSomethingElse(entry.facts, next) || (wasUnknown && next.power != bmc::Power::unknown) ||
                       (wasOfUnknownHealth && knowsHealth(next, now));
  entry = {.facts = std::move(next), .boot = boot, .seq = facts.seq};
  return {.changed = changed, .gap = gap, .taken = true};
}

FactStore::Learned FactStore::refresh(const std::string& agent, const std::string& boot, const wire::FreshFacts& facts,
                                      base::MonoTime saidAt, base::MonoTime now, base::Duration polledEach) {
  const auto found = hosts_.find(facts.host);
  if (found == hosts_.end() || found->second.boot != boot || found->second.facts.agent != agent) return {.gap = true};
  auto& entry = found->second;
  const wire::Token grant{facts.term, facts.lease, 0};
  if (grant != entry.facts.grant) return {.gap = entry.facts.grant < grant};
  if (facts.seq != entry.seq) return {.gap = facts.seq > entry.seq};
  const bool wasUnknown = power(facts.host, now) == bmc::Power::unknown;
  const bool wasOfUnknownHealth = health(facts.host, now) == bmc::Health::unknown;
  const auto said = std::min(saidAt, now);
  entry.facts.powerAt = observedAt(facts.powerAgeMs, said);
  entry.facts.healthAt = observedAt(facts.healthAgeMs, said);
  entry.facts.powerLimit = limitOf(facts.powerTookMs, polledEach);
  const bool isKnown = power(facts.host, now) != bmc::Power::unknown;
  const bool isOfKnownHealth = knowsHealth(entry.facts, now);
  if (isKnown) entry.powerExpiryTold = false;
  if (isOfKnownHealth) entry.healthExpiryTold = false;
  return {.changed = (wasUnknown && isKnown) || (wasOfUnknownHealth && isOfKnownHealth), .taken = true};
}

base::Duration FactStore::limitOf(std::int64_t tookMs, base::Duration polledEach) const {
  return std::max(limits_.power, believedPolls * polledEach) + graceOf(tookMs);
}

const HostFacts* FactStore::find(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? nullptr : &found->second.facts;
}

bmc::Power FactStore::power(const std::string& host, base::MonoTime now) const {
  const auto* facts = find(host);
  return facts != nullptr && knowsPower(*facts, now) ? facts->power : bmc::Power::unknown;
}

bool FactStore::knowsPower(const HostFacts& facts, base::MonoTime now) const {
  return fresh(facts.powerAt, facts.powerLimit, now);
}

bmc::Health FactStore::health(const std::string& host, base::MonoTime now) const {
  const auto* facts = find(host);
  return facts != nullptr && knowsHealth(*facts, now) ? facts->health : bmc::Health::unknown;
}

bool FactStore::knowsHealth(const HostFacts& facts, base::MonoTime now) const {
  return fresh(facts.healthAt, limits_.health, now) && facts.health != bmc::Health::unknown;
}

std::vector<std::string> FactStore::expired(base::MonoTime now) {
  std::vector<std::string> hosts;
  for (auto& [host, entry] : hosts_) {
    const auto& facts = entry.facts;
    const bool power = !entry.powerExpiryTold && facts.powerAt && !knowsPower(facts, now);
    const bool health =
        !entry.healthExpiryTold && facts.healthAt && facts.health != bmc::Health::unknown && !knowsHealth(facts, now);
    entry.powerExpiryTold = entry.powerExpiryTold || power;
    entry.healthExpiryTold = entry.healthExpiryTold || health;
    if (power || health) hosts.push_back(host);
  }
  return hosts;
}

}  // namespace ingot::coordinator::agents
