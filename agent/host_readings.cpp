// What a session reads of its host, and tells of it.
#include "agent/host_observed.hpp"

#include "base/cut_text.hpp"
#include "base/milliseconds.hpp"
#include "bmc/capability/health.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration shortestInterval = std::chrono::milliseconds(100), longestInterval = std::chrono::hours(24);
constexpr base::Duration untilWanted = std::chrono::seconds(30);
constexpr base::Duration leastBetween = std::chrono::seconds(30);   // readings that events ask for
constexpr base::Duration toldAgain = std::chrono::minutes(10);      // in full, though nothing is new
constexpr base::Duration identifyAgain = std::chrono::minutes(10);  // where it did not say all
constexpr base::Duration identifiedFor = std::chrono::hours(6);     // then its firmware may be another

constexpr std::size_t longestReason = 300;  // bytes

// Under the same grant, ages apart.
bool saysTheSame(const wire::Facts& a, const wire::Facts& b) {
  const auto meaning = [](const wire::Facts& facts) {
    return std::tie(facts.term, facts.lease, facts.power, facts.rawPower, facts.bootProgress, facts.health,
                    facts.bmcErrorCode, facts.bmcError, facts.vendor, facts.model, facts.serialNumber,
                    facts.bmcFirmware);
  };
  const auto isSameTrouble = [](const wire::Unread& x, const wire::Unread& y) {
    return std::tie(x.what, x.code, x.error) == std::tie(y.what, y.code, y.error);
  };
  return meaning(a) == meaning(b) && std::ranges::equal(a.unread, b.unread, isSameTrouble);
}

base::Duration intervalOf(std::int64_t ms) {
  return std::clamp(base::fromMilliseconds(ms), shortestInterval, longestInterval);
}

}  // namespace

base::Task<void> HostSession::pollPower() {
  while (true) {
    if (!recordTrouble_.empty()) lookForRecord();
    if (!driver_) openBmc();  // what it needs may be there by now, a CA file say
    if (const auto driver = driver_) {
      const auto wantedAt = runtime_.clock.now();
      try {
        co_await readPower(bmc::Lane::polling, driver);
        observed_->powerTook = runtime_.clock.now() - wantedAt;
      } catch (const bmc::Error& error) {
        if (driver == driver_) recordFailure(error);
      } catch (const base::Cancelled&) {
        throw;
      } catch (const std::exception& error) {  // nothing that a BMC can do; the next poll may do better
        if (driver == driver_) recordFailure(bmc::Error(bmc::Error::Code::protocol, error.what()));
      }
      if (driver == driver_) tellReading();  // results of an earlier address or password do not belong to this grant
      if (co_await identify(driver)) tellReading();
    }
    polled_.notifyAll();
    if (std::exchange(pollNow_, false)) continue;  // the BMC was replaced, or pushed an event, during the poll
    co_await wake_.waitUntil(runtime_.clock, pace_.next(intervalOf(grant_.powerPollMs)));
    pollNow_ = false;
  }
}

// Who it is makes no reading wait, and none fail. True: there is something to tell.
base::Task<bool> HostSession::identify(std::shared_ptr<bmc::Driver> driver) {
  const bool isDue = driver == driver_ && observed_->powerAt && observed_->errorCode.empty() &&
                     runtime_.clock.now() >= observed_->identifyAt;
  if (!isDue) co_return false;
  bmc::Identity identity;
  try {
    identity = co_await driver->identity->identify(bmc::Lane::polling);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    runtime_.log.debug("a BMC does not say whose it is", {{"host", grant_.name}, {"error", error.what()}});
  }
  if (driver != driver_) co_return false;
  const bool isWhole = !identity.bmcFirmware.empty();
  observed_->identifyAt = runtime_.clock.now() + pace_.pauseAfter(isWhole ? identifiedFor : identifyAgain);
  if (identity == bmc::Identity{}) co_return false;
  const auto known = observed_->identity.value_or(bmc::Identity{});
  if (isWhole && !known.bmcFirmware.empty() && identity.bmcFirmware != known.bmcFirmware) hardwareMayDiffer({});
  // A BMC that is not ready keeps some of it to itself.
  for (const auto part : {&bmc::Identity::vendor, &bmc::Identity::manufacturer, &bmc::Identity::model,
                          &bmc::Identity::serialNumber, &bmc::Identity::systemUuid, &bmc::Identity::bmcFirmware})
    if ((identity.*part).empty()) identity.*part = known.*part;
  observed_->identity = std::move(identity);
  co_return true;
}

// Redfish tells the health with the power: it is asked for where that is read less often, or tells none.
base::Task<void> HostSession::pollHealth() {
  const PollPace healthPace(runtime_);
  co_await polled_.waitUntil(runtime_.clock, healthPace.next(intervalOf(grant_.healthPollMs)));
  while (true) {
    const bool isFresh =
        observed_->healthAt && runtime_.clock.now() - *observed_->healthAt < intervalOf(grant_.healthPollMs);
    // Whether the BMC answers at all is for the power polls to tell.
    if (const auto driver = driver_; driver && observed_->errorCode.empty() && !isFresh) {
      try {
        const auto reading = co_await driver->health->readHealth(bmc::Lane::polling);
        if (driver == driver_ && noteHealth(reading.health, reading.asked)) tellReading();
      } catch (const bmc::Error& error) {
        runtime_.log.debug("health was not read", {{"host", grant_.name}, {"error", error.what()}});
      } catch (const base::Cancelled&) {
        throw;
      } catch (const std::exception& error) {
        runtime_.log.warn("health was not read", {{"host", grant_.name}, {"error", error.what()}});
      }
    }
    dropOldInventory();
    co_await runtime_.clock.sleepUntil(healthPace.next(intervalOf(grant_.healthPollMs)));
  }
}

// Waits for hours: what only a reading needs is in a coroutine of its own.
base::Task<void> HostSession::keepReading(Reading reading) {
  ReadingPace pace{PollPace(runtime_)};
  co_await runtime_.clock.sleepUntil(pace.pace.next(reading.untilFirst));
  while (true) {
    const auto begun = runtime_.clock.now();
    base::Duration pause = untilWanted;
    if (isToRead(reading)) pause = co_await readOnce(reading, pace);
    const auto now = runtime_.clock.now();
    const auto until = std::max(pace.pace.next(pause), now + pace.atLeast);
    if (reading.heedsEvents && grant_.*reading.intervalMs > 0 && pace.pace.isGood())
      co_await untilEventOr(until, begun, now + std::max(leastBetween, pace.atLeast));
    else if (co_await accessed_.waitUntil(runtime_.clock, until))
      pace.silences = 0;  // of another BMC
  }
}

bool HostSession::isToRead(const Reading& reading) const {
  // Whether the BMC answers at all is for the power polls to tell.
  const bool isAnswering = driver_ && observed_->powerAt && observed_->errorCode.empty();
  return isAnswering && grant_.*reading.intervalMs > 0 && (reading.isDue == nullptr || (this->*reading.isDue)());
}

// How long the next one waits.
base::Task<base::Duration> HostSession::readOnce(const Reading& reading, ReadingPace& pace) {
  const auto driver = driver_;
  base::Duration pause = untilWanted;
  if (reading.isDue == nullptr)
    pause = std::clamp<base::Duration>(base::fromMilliseconds(grant_.*reading.intervalMs), std::chrono::seconds(1),
                                       longestInterval);
  NotRead trouble;
  bool isOfGovernor = false;
  try {
    pace.atLeast = co_await (this->*reading.read)(driver);
    pace.pace.succeeded();
    pace.silences = 0;
    // Of sensors and hardware that is told with what was read.
    if (reading.read == &HostSession::readLogs && !observed_->logUnread.empty())
      trouble = {.code = "protocol", .error = observed_->logUnread};
  } catch (const base::Cancelled&) {
    throw;
  } catch (const bmc::Error& error) {
    trouble = {.code = std::string(toText(error.code())), .error = error.what()};
    isOfGovernor = error.origin() != bmc::Error::Origin::bmc;
    if (!isOfGovernor) {
      pace.pace.failed();
      pace.silences = isSilence(error.code()) ? pace.silences + 1 : 0;
      if (error.code() == bmc::Error::Code::unsupported || pace.silences > 1) pause = whereThereIsNone;
    }
  } catch (const std::exception& error) {
    trouble = {.code = "internal", .error = error.what()};
    pace.pace.failed();
  }
  if (!trouble.code.empty())
    runtime_.log.debug("a reading failed", {{"host", grant_.name}, {"what", reading.what}, {"error", trouble.error}});
  // What the governor says was not asked of the BMC: why it was not read before is still why.
  if (driver == driver_ && !isOfGovernor) noteNotRead(reading.what, std::move(trouble));
  if (driver == driver_) co_return pause;
  pace.pace.succeeded();  // what went wrong there says nothing of another BMC
  pace.silences = 0;
  co_return untilWanted;
}

// An empty code: it was read. Told with the next poll of the power.
void HostSession::noteNotRead(std::string_view what, NotRead trouble) {
  if (trouble.code.empty()) return static_cast<void>(observed_->notRead.erase(what));
  const auto [place, isNew] = observed_->notRead.try_emplace(what);
  trouble.since = isNew ? runtime_.clock.now() : place->second.since;
  trouble.error = base::oneLine(std::move(trouble.error), longestReason);
  place->second = std::move(trouble);
}

// Every reading, whoever asked for it, is reported and may prove a command.
base::Task<bmc::PowerReading> HostSession::readPower(bmc::Lane lane, std::shared_ptr<bmc::Driver> driver) {
  const int round = proof_.round();
  auto reading = co_await driver->power->readPower(lane);
  if (driver != driver_) co_return reading;
  record(reading);
  proof_.observe(round, reading);
  co_return reading;
}

void HostSession::record(const bmc::PowerReading& reading) {
  pace_.succeeded();
  if (observed_->powerAt && reading.asked < *observed_->powerAt) return;  // one that was asked later came earlier
  noteRestartIn(reading);
  observed_->power = reading;
  observed_->powerAt = reading.asked;
  // Health that comes with a power reading is recorded with it: a server that gets its input power back is tried again
  // at once.
  if (reading.health) static_cast<void>(noteHealth(*reading.health, reading.asked));  // told with the power
  observed_->errorCode.clear();
  observed_->error.clear();
}

// What the governor says was not asked, and says nothing new: the failure that led there stays.
void HostSession::recordFailure(const bmc::Error& error) {
  const bool wasAsked = error.origin() == bmc::Error::Origin::bmc;
  if (wasAsked) pace_.failed();
  if (!wasAsked && !observed_->errorCode.empty()) return;
  observed_->errorCode = toText(error.code());
  observed_->error = error.what();
}

HostSession::Standing HostSession::standing() const {
  return {.mayAct = holdsLease(),
          .writes = isWriting(),
          .erases = erasing_ != nullptr,
          .wasRead = observed_->powerAt.has_value(),
          .trouble = observed_->errorCode,
          .events = eventsState_};
}

std::int64_t HostSession::ageMs(const std::optional<base::MonoTime>& at) const {
  return at ? (runtime_.clock.now() - *at) / std::chrono::milliseconds(1) : -1;
}

wire::Facts HostSession::facts() const {
  const auto identity = observed_->identity.value_or(bmc::Identity{});
  std::vector<wire::Unread> unread;
  for (const auto& [what, trouble] : observed_->notRead)
    unread.push_back({std::string(what), trouble.code, trouble.error, ageMs(trouble.since)});
  return {.host = grant_.host,
          .term = lease_.grant().term,
          .lease = lease_.grant().lease,
          .power = std::string(toText(observed_->power.power)),
          .rawPower = observed_->power.raw,
          .bootProgress = observed_->power.bootProgress,
          .powerAgeMs = ageMs(observed_->powerAt),
          .powerTookMs = observed_->powerTook / std::chrono::milliseconds(1),
          .health = std::string(toText(observed_->health)),
          .healthAgeMs = ageMs(observed_->healthAt),
          .bmcErrorCode = observed_->errorCode,
          .bmcError = observed_->error,
          .vendor = identity.vendor,
          .model = identity.model,
          .serialNumber = identity.serialNumber,
          .bmcFirmware = identity.bmcFirmware,
          .unread = std::move(unread)};
}

void HostSession::sendSnapshot() {
  auto now = facts();
  now.seq = told_.seq + 1;
  told_ = now;
  toldAt_ = runtime_.clock.now();
  report_(std::move(now));
}

void HostSession::tellReading() {
  const auto now = facts();
  const bool isNews =
      version_ < 2 || told_.seq == 0 || !saysTheSame(now, told_) || runtime_.clock.now() - toldAt_ >= toldAgain;
  if (isNews) return sendSnapshot();
  report_(wire::StillFresh{.facts = {{.host = now.host,
                                      .seq = told_.seq,
                                      .term = told_.term,
                                      .lease = told_.lease,
                                      .powerAgeMs = now.powerAgeMs,
                                      .powerTookMs = now.powerTookMs,
                                      .healthAgeMs = now.healthAgeMs}}});
}

}  // namespace ingot::agent
