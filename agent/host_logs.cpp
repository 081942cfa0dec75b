// What the BMC of a host has logged, told whenever there is more of it, and to each new coordinator.
#include "agent/host_observed.hpp"
#include "agent/log_positions.hpp"

namespace ingot::agent {

namespace {

constexpr std::chrono::seconds clockIsOff = std::chrono::minutes(5);
constexpr base::Duration believedCleared = std::chrono::minutes(10), believedEmpty = std::chrono::minutes(1);

}  // namespace

base::Task<base::Duration> HostSession::readLogs(std::shared_ptr<bmc::Driver> driver) {
  const auto term = lease_.grant().term;
  if (std::exchange(logsTerm_, term) != term) logMarks_.clear();  // a new coordinator knows nothing of them
  auto reading = co_await driver->logs->readLogs(bmc::Lane::background, logMarks_);
  if (driver != driver_ || term != lease_.grant().term) co_return base::Duration{};
  for (const auto& why : reading.unread)
    runtime_.log.debug("a log was not read", {{"host", grant_.name}, {"why", why}});
  observed_->logUnread = reading.unread.empty() ? std::string() : reading.unread.front();
  noteClock(reading.clockAhead);
  const auto isGone = [&](const auto& entry) {
    return std::ranges::count(reading.tails, entry.first, &bmc::LogTail::log) == 0;
  };
  std::erase_if(logMarks_, isGone);
  std::erase_if(logsTold_, isGone);
  std::erase_if(logsEmptySince_, isGone);
  for (auto& tail : reading.tails)
    if (tail.entries) tellLog(std::move(tail), reading.asked);
  co_return base::Duration{};
}

// The entries keep the times that the BMC has given them: it says nothing of when its clock went wrong.
void HostSession::noteClock(std::optional<std::chrono::seconds> ahead) {
  if (!ahead) return;
  const bool isOff = std::chrono::abs(*ahead) > clockIsOff;
  if (std::exchange(observed_->clockIsOff, isOff) == isOff) return;
  if (isOff)
    runtime_.log.warn("the clock of a BMC is wrong, and so are the times in its logs",
                      {{"host", grant_.name}, {"ahead", fmt::format("{} s", ahead->count())}});
  else
    runtime_.log.info("the clock of a BMC is right again", {{"host", grant_.name}});
}

// A BMC that starts shows nothing for a while, and nobody who believed that could tell what is news afterwards.
bool HostSession::isOnlyStarting(const bmc::LogTail& tail, const std::optional<bmc::LogPosition>& known) {
  const auto now = runtime_.clock.now();
  const bool isKnownEmpty = known && *known == bmc::LogPosition{};
  if (!tail.entries->empty() || isKnownEmpty) {
    logsEmptySince_.erase(tail.log);
    return false;
  }
  const auto since = logsEmptySince_.try_emplace(tail.log, now).first->second;
  return now - since < (known ? believedCleared : believedEmpty);
}

void HostSession::tellLog(bmc::LogTail tail, base::MonoTime asked) {
  const auto known = settings_.logPositions->find(grant_.host, grant_.address, tail.log);
  if (isOnlyStarting(tail, known)) return;
  const auto total = tail.entries->size();
  logsTold_[tail.log] = {.mark = std::move(tail.mark), .end = bmc::endOf(*tail.entries)};
  // What was there before anybody looked is history.
  const auto news = known ? bmc::firstAfter(*tail.entries, *known) : total;
  report_(wire::LogFacts{.host = grant_.host,
                         .term = lease_.grant().term,
                         .lease = lease_.grant().lease,
                         .ageMs = ageMs(asked),
                         .log = std::move(tail.log),
                         .known = static_cast<std::int64_t>(news),
                         .entries = std::move(*tail.entries)});
}

// Until then it is read and told again.
void HostSession::acknowledgeLog(const wire::LogAcknowledge& acknowledge) {
  const auto told = logsTold_.find(acknowledge.log);
  if (told == logsTold_.end() || told->second.end != acknowledge.end || logsTerm_ != lease_.grant().term) return;
  logMarks_[acknowledge.log] = told->second.mark;
  settings_.logPositions->told(grant_.host, grant_.address, acknowledge.log, acknowledge.end);
  logsTold_.erase(told);
}

}  // namespace ingot::agent
