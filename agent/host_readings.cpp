// What a session reads of its host, and tells of it.
#include "agent/host_observed.hpp"

#include "base/milliseconds.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration shortestInterval = std::chrono::milliseconds(100), longestInterval = std::chrono::hours(24);
constexpr base::Duration identifyAgain = std::chrono::minutes(10);  // where it did not say all

}  // namespace

base::Task<void> HostSession::pollPower() {
  while (true) {
    if (!driver_) openBmc();  // what it needs may be there by now, a CA file say
    if (const auto [driver, governor] = std::pair(driver_, governor_); driver) {
      bool wasAsked = false;
      try {
        co_await governor->run<bmc::PowerReading>(bmc::Lane::polling, [this, &wasAsked, driver = driver] {
          wasAsked = true;
          return readPower(driver);
        });
      } catch (const bmc::Error& error) {
        // An error of the governor, which sent nothing, says nothing new: the failure that led there stays.
        if (driver == driver_ && (wasAsked || observed_->errorCode.empty())) recordFailure(error);
      } catch (const base::Cancelled&) {
        throw;
      } catch (const std::exception& error) {  // nothing that a BMC can do; the next poll may do better
        if (driver == driver_) recordFailure(bmc::Error(bmc::Error::Code::protocol, error.what()));
      }
      if (driver == driver_) sendSnapshot();  // results of an earlier address or password do not belong to this grant
      if (co_await identify(driver)) sendSnapshot();
    }
    if (std::exchange(pollNow_, false)) continue;  // the BMC was replaced during the poll
    co_await wake_.waitUntil(runtime_.clock, runtime_.clock.now() + jittered(grant_.powerPollMs));
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
    const auto governor = governor_;
    identity = co_await governor->run<bmc::Identity>(bmc::Lane::polling, [driver] { return driver->identify(); });
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    runtime_.log.debug("a BMC does not say whose it is", {{"host", grant_.name}, {"error", error.what()}});
  }
  if (driver != driver_) co_return false;
  const bool isWhole = !identity.bmcFirmware.empty();
  observed_->identifyAt = isWhole ? base::MonoTime::max() : runtime_.clock.now() + identifyAgain;
  if (identity == bmc::Identity{}) co_return false;
  observed_->identity = std::move(identity);
  co_return true;
}

base::Task<void> HostSession::pollHealth() {
  while (true) {
    // Whether the BMC answers at all is for the power polls to tell.
    if (const auto [driver, governor] = std::pair(driver_, governor_); driver && observed_->errorCode.empty()) {
      try {
        base::MonoTime asked{};
        const auto health = co_await governor->run<bmc::Health>(bmc::Lane::polling, [this, &asked, driver = driver] {
          asked = runtime_.clock.now();
          return driver->readHealth();
        });
        if (driver == driver_) {
          observed_->health = health;
          observed_->healthAt = asked;
        }
      } catch (const bmc::Error& error) {
        runtime_.log.debug("health was not read", {{"host", grant_.name}, {"error", error.what()}});
      } catch (const base::Cancelled&) {
        throw;
      } catch (const std::exception& error) {
        runtime_.log.warn("health was not read", {{"host", grant_.name}, {"error", error.what()}});
      }
    }
    dropOldInventory();
    co_await runtime_.clock.sleepFor(jittered(grant_.healthPollMs));
  }
}

// Every reading, whoever asked for it, is reported and may prove a command.
base::Task<bmc::PowerReading> HostSession::readPower(std::shared_ptr<bmc::Driver> driver) {
  const int round = proof_.round();
  const auto asked = runtime_.clock.now();  // an answer that took long says nothing of the time since
  auto reading = co_await driver->readPower();
  if (driver != driver_) co_return reading;
  record(reading, asked);
  proof_.observe(round, reading);
  co_return reading;
}

void HostSession::record(const bmc::PowerReading& reading, base::MonoTime asked) {
  observed_->power = reading;
  observed_->powerAt = asked;
  // Health that comes with a power reading is recorded with it: a server that gets its input power back is tried again
  // at once.
  if (reading.health) {
    observed_->health = *reading.health;
    observed_->healthAt = observed_->powerAt;
  }
  observed_->errorCode.clear();
  observed_->error.clear();
}

void HostSession::recordFailure(const bmc::Error& error) {
  observed_->errorCode = toText(error.code());
  observed_->error = error.what();
}

std::int64_t HostSession::ageMs(const std::optional<base::MonoTime>& at) const {
  return at ? (runtime_.clock.now() - *at) / std::chrono::milliseconds(1) : -1;
}

void HostSession::sendSnapshot() {
  const auto identity = observed_->identity.value_or(bmc::Identity{});
  report_(wire::Facts{.host = grant_.host,
                      .seq = ++factSeq_,
                      .term = lease_.grant().term,
                      .lease = lease_.grant().lease,
                      .power = std::string(toText(observed_->power.power)),
                      .rawPower = observed_->power.raw,
                      .powerAgeMs = ageMs(observed_->powerAt),
                      .health = std::string(toText(observed_->health)),
                      .healthAgeMs = ageMs(observed_->healthAt),
                      .bmcErrorCode = observed_->errorCode,
                      .bmcError = observed_->error,
                      .vendor = identity.vendor,
                      .model = identity.model,
                      .serialNumber = identity.serialNumber,
                      .bmcFirmware = identity.bmcFirmware});
}

base::Duration HostSession::jittered(std::int64_t ms) {
  const auto interval = std::clamp(base::fromMilliseconds(ms), shortestInterval, longestInterval);
  const double spread = 0.9 + 0.2 * runtime_.random.unit();
  return std::chrono::duration_cast<base::Duration>(spread * std::chrono::duration<double, std::nano>(interval));
}

}  // namespace ingot::agent
