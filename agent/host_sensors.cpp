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
  std::map<bmc::Health, base::MonoTime> raised;
  const auto raise = [&raised](bmc::Health health, base::MonoTime believed) {
    auto& latest = raised[health];
    latest = std::max(latest, believed);
  };
  raise(reading.raised, until);
  std::map<std::string, Raised> by;
  for (const auto& [part, health] : reading.raisedBy) {
    Raised one{health, until};
    if (health == bmc::Health::unknown) {
      const auto before = observed_->raisedBy.find(part);
      if (before == observed_->raisedBy.end()) continue;
      one = before->second;
      raise(one.health, one.until);
    }
    if (one.health > by[part].health) by[part] = one;
  }
  if (!reading.sensors.unread.empty()) {
    by.merge(observed_->raisedBy);
    for (const auto& [health, believed] : observed_->raised) raise(health, believed);
  }
  observed_->raisedBy = std::move(by);
  observed_->raised = std::move(raised);
  if (!observed_->healthAt) return;
  const auto before = observed_->health;
  noteHealth(observed_->ofBmc, *observed_->healthAt);
  if (observed_->health != before) tellReading();
}

bmc::Health HostSession::raisedHealth() const {
  auto worst = bmc::Health::unknown;
  for (const auto& [health, until] : observed_->raised)
    if (runtime_.clock.now() < until) worst = std::max(worst, health);
  return worst;
}

}  // namespace ingot::agent
