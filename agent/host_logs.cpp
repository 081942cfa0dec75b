// What the BMC of a host has logged, told whenever there is more of it, and to each new coordinator.
#include "agent/host_observed.hpp"
#include "agent/log_positions.hpp"
#include "base/milliseconds.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration shortestLogInterval = std::chrono::seconds(1), longestLogInterval = std::chrono::hours(24);
constexpr base::Duration logsUntilFirst = std::chrono::seconds(20);  // after power, identity and sensors
constexpr base::Duration logsUntilWanted = std::chrono::seconds(30);
constexpr base::Duration withoutLogs = std::chrono::hours(1);  // there are none, or they take longer than there is time

}  // namespace

base::Task<void> HostSession::pollLogs() {
  PollPace pace(runtime_);
  co_await runtime_.clock.sleepFor(pace.pauseAfter(logsUntilFirst));
  while (true) {
    base::Duration pause = logsUntilWanted;
    const auto driver = driver_;
    // Whether the BMC answers at all is for the power polls to tell.
    if (grant_.logPollMs > 0 && driver && observed_->powerAt && observed_->errorCode.empty()) {
      pause =
          std::clamp<base::Duration>(base::fromMilliseconds(grant_.logPollMs), shortestLogInterval, longestLogInterval);
      try {
        co_await readLogs(driver);
        pace.succeeded();
      } catch (const base::Cancelled&) {
        throw;
      } catch (const bmc::Error& error) {
        if (error.origin() == bmc::Error::Origin::bmc) {
          pace.failed();
          if (error.code() == bmc::Error::Code::unsupported || isSilence(error.code())) pause = withoutLogs;
        }
        runtime_.log.debug("logs were not read", {{"host", grant_.name}, {"error", error.what()}});
      } catch (const std::exception& error) {
        pace.failed();
        runtime_.log.debug("logs were not read", {{"host", grant_.name}, {"error", error.what()}});
      }
    }
    co_await runtime_.clock.sleepFor(pace.pauseAfter(pause));
  }
}

base::Task<void> HostSession::readLogs(std::shared_ptr<bmc::Driver> driver) {
  const auto term = lease_.grant().term;
  if (std::exchange(logsTerm_, term) != term) logMarks_.clear();  // a new coordinator knows nothing of them
  auto reading = co_await driver->readLogs(bmc::Lane::background, logMarks_);
  if (driver != driver_ || term != lease_.grant().term) co_return;
  for (const auto& why : reading.unread)
    runtime_.log.debug("a log was not read", {{"host", grant_.name}, {"why", why}});
  const auto isGone = [&](const auto& entry) {
    return std::ranges::count(reading.tails, entry.first, &bmc::LogTail::log) == 0;
  };
  std::erase_if(logMarks_, isGone);
  std::erase_if(logsTold_, isGone);
  for (auto& tail : reading.tails)
    if (tail.entries) tellLog(std::move(tail), reading.asked);
}

void HostSession::tellLog(bmc::LogTail tail, base::MonoTime asked) {
  const auto known = settings_.logPositions->find(grant_.host, grant_.address, tail.log);
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
