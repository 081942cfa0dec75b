#include "tests/coordinator/fleet_seeds/log_knowledge.hpp"

#include <algorithm>

namespace ingot::tests {

namespace {

constexpr base::Duration untilOnDisk = std::chrono::seconds(10);  // positions are written every 5 s

}  // namespace

void LogKnowledge::agentDied(const std::string& agent, base::MonoTime now) {
  std::erase_if(agents_,
                [&](const auto& entry) { return entry.first.first == agent && now - entry.second < untilOnDisk; });
}

void LogKnowledge::agentRested(const std::string& agent, base::MonoTime since, base::MonoTime now) {
  for (auto& [of, known] : agents_)
    if (of.first == agent && known + untilOnDisk > since) known = now;
}

void LogKnowledge::told(const std::string& agent, const wire::LogFacts& facts) {
  auto& teller = teller_[facts.host];
  const auto lease = std::pair(facts.term, facts.lease);
  if (lease >= teller.lease) teller = {.agent = agent, .lease = lease};  // of an earlier one nobody hears any more
  told_[{agent, facts.host}] = {.term = facts.term, .end = bmc::endOf(facts.entries)};
}

void LogKnowledge::acknowledged(const wire::LogAcknowledge& acknowledge) {
  const auto& host = acknowledge.host;
  Log& log = logs_[host];
  const int end = acknowledge.end.id.empty() ? 0 : std::stoi(acknowledge.end.id);
  const bool isKnown = coordinator_.contains(host) || agents_.contains({teller_[host].agent, host});
  if (!isKnown) log.history += std::max(0, end - log.read);
  log.read = std::max(log.read, end);
  coordinator_.insert(host);
}

void LogKnowledge::heard(const std::string& agent, const wire::Message& message, base::MonoTime now) {
  if (const auto* it = std::get_if<wire::Grant>(&message)) terms_[{agent, it->host}] = it->token.term;
  if (const auto* it = std::get_if<wire::LogAcknowledge>(&message)) {
    const auto& told = told_[{agent, it->host}];
    if (told.term == terms_[{agent, it->host}] && told.end == it->end) agents_.try_emplace({agent, it->host}, now);
  }
  if (const auto* it = std::get_if<wire::Revoke>(&message); it != nullptr && it->forget)
    agents_.erase({agent, it->host});
}

LogKnowledge::Log LogKnowledge::of(const std::string& host) const {
  const auto found = logs_.find(host);
  return found == logs_.end() ? Log{} : found->second;
}

}  // namespace ingot::tests
