#include "agent/journal.hpp"

namespace ingot::agent {

namespace {

constexpr std::size_t maxUnacknowledged = 16;  // per host; newer results supersede older ones
// A request leaves so long after it was recorded at the latest, since the lease has the last word.
constexpr std::int64_t leftWithin = 15'000;

// Above every command of its term.
wire::Token lastOf(std::int64_t term) {
  constexpr std::int64_t most = (std::int64_t{1} << 53) - 1;
  return {term, most, most};
}

void keepNewest(std::vector<wire::CommandResult>& results) {
  if (results.size() > maxUnacknowledged) results.erase(results.begin(), results.end() - maxUnacknowledged);
}

wire::CommandResult interrupted(const std::string& host, const HostJournal& journal) {
  wire::CommandResult result{.host = host, .token = journal.highest, .action = journal.running};
  if (journal.unsent) {
    result.outcome = "refused";
    result.errorCode = "not-asked";
    result.error = fmt::format("the agent stopped before it asked the BMC for '{}'", journal.running);
  } else {
    result.outcome = "unknown";
    result.error = fmt::format("the agent stopped while it carried out '{}'", journal.running);
  }
  return result;
}

}  // namespace

Journal::Journal(JournalStore& store) : store_(store), hosts_(store.load()), term_(store.loadTerm()) {
  barDamaged();
  resolveInterrupted();
  prune();
  tryToStore([this] { store_.flush(); });
}

// What is decided at the start follows from the files as they are, and is decided again at the next one: it holds
// without being written, and a full disk keeps no agent from starting.
void Journal::tryToStore(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::exception& error) {  // std::filesystem's are none of ours
    noteTrouble(error.what());
  }
}

void Journal::noteTrouble(std::string why) {
  const bool turns = why.empty() != trouble_.empty();
  trouble_ = std::move(why);
  if (turns && onTrouble_) onTrouble_();
}

base::Task<void> Journal::synced() {
  try {
    co_await store_.synced();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    noteTrouble(error.what());
    throw;
  }
  noteTrouble("");
}

void Journal::barDamaged() {
  const auto bar = lastOf(highestTerm());
  for (const auto& host : store_.damaged()) {
    hosts_[host] = {.highest = bar};
    tryToStore([&] { store_.save(host, hosts_[host]); });
  }
}

std::vector<std::string> Journal::damaged() const {
  std::vector<std::string> hosts;
  for (const auto& [host, journal] : hosts_)
    if (journal.highest == lastOf(journal.highest.term)) hosts.push_back(host);
  return hosts;
}

void Journal::resolveInterrupted() {
  for (auto& [host, journal] : hosts_) {
    if (journal.running.empty()) continue;
    journal.unacknowledged.push_back(interrupted(host, journal));
    journal.lastRequest.ms += leftWithin;
    keepNewest(journal.unacknowledged);
    journal.running.clear();
    journal.unsent = false;
    tryToStore([&] { store_.save(host, journal); });
  }
}

void Journal::prune() {
  const auto present = highestTerm();
  std::erase_if(hosts_, [&](const auto& entry) {
    const bool obsolete = entry.second.unacknowledged.empty() && entry.second.highest.term < present;
    if (obsolete) tryToStore([&] { store_.remove(entry.first); });
    return obsolete;
  });
}

bool Journal::begin(const std::string& host, const wire::Token& token, const std::string& action) {
  HostJournal next = hosts_[host];
  if (highest(host) == lastOf(token.term))
    throw base::Error(
        "the agent's journal of this host was damaged: it obeys again once the coordinator was restarted");
  if (token <= highest(host)) return false;
  next.highest = token;
  next.running = action;
  next.unsent = true;
  store_.save(host, next);
  hosts_[host] = std::move(next);
  return true;
}

bool Journal::recordRequest(const std::string& host, const MachineTime& time) {
  HostJournal& journal = hosts_[host];
  if (!journal.unsent) return false;
  HostJournal next = journal;
  next.unsent = false;
  next.lastRequest = {.token = next.highest, .boot = time.boot, .ms = time.ms()};
  store_.save(host, next);
  journal = std::move(next);
  return true;
}

void Journal::noteSent(const std::string& host, const MachineTime& time) {
  HostJournal& journal = hosts_[host];
  if (journal.lastRequest.token == journal.highest) journal.lastRequest.ms = time.ms();
}

void Journal::takeBackRequest(const std::string& host) {
  HostJournal& journal = hosts_[host];
  journal.unsent = true;
  tryToStore([&] { store_.save(host, journal); });
}

bool Journal::hasSent(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found != hosts_.end() && !found->second.running.empty() && !found->second.unsent;
}

void Journal::finish(const wire::CommandResult& result) {
  HostJournal& journal = hosts_[result.host];
  journal.running.clear();
  journal.unsent = false;
  journal.unacknowledged.push_back(result);
  keepNewest(journal.unacknowledged);
  store_.save(result.host, journal);
}

void Journal::acknowledge(const std::string& host, const wire::Token& token) {
  const auto found = hosts_.find(host);
  if (found == hosts_.end()) return;
  HostJournal next = found->second;
  if (std::erase_if(next.unacknowledged, [&](const auto& result) { return result.token == token; }) == 0) return;
  store_.save(host, next);  // else it is told again, and not only after a restart
  found->second = std::move(next);
}

wire::CommandResult Journal::withAge(wire::CommandResult result, const MachineTime& time) const {
  const auto found = hosts_.find(result.host);
  if (found == hosts_.end() || result.outcome == "refused") return result;  // nothing was asked
  const RequestTime& request = found->second.lastRequest;
  const bool sameClock = !time.boot.empty() && request.boot == time.boot && request.ms <= time.ms() + leftWithin;
  if (request.token == result.token && sameClock) result.askedAgoMs = std::max<std::int64_t>(0, time.ms() - request.ms);
  return result;
}

std::vector<wire::CommandResult> Journal::unacknowledged() const {
  std::vector<wire::CommandResult> all;
  for (const auto& [host, journal] : hosts_)
    all.insert(all.end(), journal.unacknowledged.begin(), journal.unacknowledged.end());
  return all;
}

bool Journal::hasUnacknowledged(const std::string& host) const {
  const auto found = hosts_.find(host);
  return found != hosts_.end() && !found->second.unacknowledged.empty();
}

std::vector<std::string> Journal::hostsWithUnacknowledged() const {
  std::vector<std::string> hosts;
  for (const auto& [host, journal] : hosts_)
    if (!journal.unacknowledged.empty()) hosts.push_back(host);
  return hosts;
}

std::optional<wire::CommandResult> Journal::resolve(const std::string& host, const wire::Token& token) {
  HostJournal next = hosts_[host];
  const auto unacknowledged = std::ranges::find(next.unacknowledged, token, &wire::CommandResult::token);
  if (unacknowledged != next.unacknowledged.end()) return *unacknowledged;
  if (token == next.highest && !next.running.empty()) return std::nullopt;
  wire::CommandResult result{.host = host, .token = token};
  if (token <= highest(host)) {
    result.outcome = "unknown";
    result.error = "the result of this command was told before";
    return result;
  }
  next.highest = token;
  store_.save(host, next);
  hosts_[host] = std::move(next);
  result.outcome = "refused";
  result.errorCode = "not-received";
  result.error = "the command never reached the agent";
  return result;
}

base::Task<void> Journal::raiseTerm(std::int64_t term) {
  if (term <= term_) co_return;
  try {
    co_await store_.saveTerm(term);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    noteTrouble(error.what());
    throw;
  }
  term_ = std::max(term_, term);
}

std::int64_t Journal::highestTerm() const {
  std::int64_t term = term_;
  for (const auto& [host, journal] : hosts_) term = std::max(term, journal.highest.term);
  return term;
}

wire::Token Journal::highest(const std::string& host) const {
  wire::Token highest;
  for (const auto& key : {host, std::string(everyHost)})
    if (const auto found = hosts_.find(key); found != hosts_.end()) highest = std::max(highest, found->second.highest);
  return highest;
}

}  // namespace ingot::agent
