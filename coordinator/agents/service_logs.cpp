// What agents tell of the logs of BMCs: news become Events, the latest are kept for who asks.
#include "base/cut_text.hpp"
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestLogName = 128;

std::string sentenceOf(const std::string& log, const bmc::LogEntry& entry) {
  const auto made = entry.created.empty() ? std::string() : ", " + entry.created;
  return fmt::format("{} ({}, entry {}{})", entry.message, log, entry.id, made);
}

}  // namespace

std::int64_t AgentService::logPollMs(const std::string& address) const {
  return world_.logs == nullptr ? 0 : intervalBehind(address, timing_.logPollMs);
}

void AgentService::onLog(const Connection& from, const wire::LogFacts& facts) {
  const auto* served = servedBy(from, facts.host, {facts.term, facts.lease, 0});
  const auto host = served != nullptr ? hostOf(facts.host) : nullptr;
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
  send(from, wire::LogAcknowledge{.host = facts.host, .log = facts.log, .end = bmc::endOf(facts.entries)});
}

}  // namespace ingot::coordinator::agents
