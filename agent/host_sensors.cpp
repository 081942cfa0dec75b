// What the sensors of a host read.
#include "agent/host_observed.hpp"
#include "bmc/capability/sensors.hpp"

#include "base/milliseconds.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration quick = std::chrono::seconds(5);
constexpr int slowFactor = 120;
constexpr base::Duration longestPause = std::chrono::hours(1);
constexpr int believedIntervals = 3;  // what sensors raise

}  // namespace

// A BMC that takes long for them is asked less often: its power is not read meanwhile.
base::Task<base::Duration> HostSession::readSensors(std::shared_ptr<bmc::Driver> driver) {
  const auto [term, lease] = std::pair(lease_.grant().term, lease_.grant().lease);
  auto reading = co_await driver->sensors->readSensors(bmc::Lane::background);
  const auto takes = runtime_.clock.now() - reading.asked;
  for (const auto& why : reading.sensors.unread)
    runtime_.log.debug("a sensor was not read", {{"host", grant_.name}, {"why", why}});
  const auto pause = std::min(std::max(base::Duration{}, takes - quick) * slowFactor, longestPause);
  if (driver != driver_) co_return pause;
  const auto nextIn = std::max(base::fromMilliseconds(grant_.sensorPollMs), pause);
  noteRaised(reading, reading.asked + believedIntervals * nextIn);
  report_(wire::SensorFacts{.host = grant_.host,
                            .term = term,
                            .lease = lease,
                            .ageMs = ageMs(reading.asked),
                            .nextInMs = nextIn / std::chrono::milliseconds(1),
                            .sensors = std::move(reading.sensors)});
  co_return pause;
}

// A failed power supply is told at once, and not by the next reading of the power. What could not be read may be what
// was not well: that counts on, as long as it would without this reading.
void HostSession::noteRaised(const bmc::SensorReading& reading, base::MonoTime until) {
  const auto now = runtime_.clock.now();
  std::erase_if(observed_->raisedBy, [now](const auto& before) { return before.second.until <= now; });
  Raised raised{reading.raised, until};
  std::map<std::string, Raised> by;
  for (const auto& [part, health] : reading.raisedBy) {
    Raised one{health, until};
    if (health == bmc::Health::unknown) {
      const auto before = observed_->raisedBy.find(part);
      if (before == observed_->raisedBy.end()) continue;
      one = before->second;
      if (one.health > raised.health) raised = one;
    }
    if (one.health > by[part].health) by[part] = one;
  }
  const bool isWhole = reading.sensors.unread.empty();
  if (!isWhole) by.merge(observed_->raisedBy);
  observed_->raisedBy = std::move(by);
  if (!isWhole && raised.health < raisedHealth()) return;
  observed_->raised = raised;
  if (!observed_->healthAt) return;
  const auto before = observed_->health;
  noteHealth(observed_->ofBmc, *observed_->healthAt);
  if (observed_->health != before) tellReading();
}

bmc::Health HostSession::raisedHealth() const {
  return runtime_.clock.now() < observed_->raised.until ? observed_->raised.health : bmc::Health::unknown;
}

}  // namespace ingot::agent
