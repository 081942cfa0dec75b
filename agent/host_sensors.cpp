// What the sensors of a host read.
#include "agent/host_observed.hpp"
#include "bmc/capability/sensors.hpp"

#include "base/milliseconds.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration quick = std::chrono::seconds(5);
constexpr int slowFactor = 120;
constexpr int believedIntervals = 3;  // what sensors raise

}  // namespace

// A BMC that takes long for them is asked less often: its power is not read meanwhile.
base::Task<base::Duration> HostSession::readSensors(std::shared_ptr<bmc::Driver> driver) {
  const auto [term, lease] = std::pair(lease_.grant().term, lease_.grant().lease);
  auto reading = co_await driver->sensors->readSensors(bmc::Lane::background);
  const auto takes = runtime_.clock.now() - reading.asked;
  for (const auto& why : reading.sensors.unread)
    runtime_.log.debug("a sensor was not read", {{"host", grant_.name}, {"why", why}});
  const auto pause = std::max(base::Duration{}, takes - quick) * slowFactor;
  if (driver != driver_) co_return pause;
  // What could not be read may be what was not well.
  if (reading.sensors.unread.empty() || reading.raised >= raisedHealth())
    noteRaised(reading.raised,
               reading.asked + believedIntervals * std::max(base::fromMilliseconds(grant_.sensorPollMs), pause));
  report_(wire::SensorFacts{.host = grant_.host,
                            .term = term,
                            .lease = lease,
                            .ageMs = ageMs(reading.asked),
                            .sensors = std::move(reading.sensors)});
  co_return pause;
}

// A failed power supply is told at once, and not by the next reading of the power.
void HostSession::noteRaised(bmc::Health raised, base::MonoTime until) {
  observed_->raised = raised;
  observed_->raisedUntil = until;
  if (!observed_->healthAt) return;
  const auto before = observed_->health;
  noteHealth(observed_->ofBmc, *observed_->healthAt);
  if (observed_->health != before) tellReading();
}

bmc::Health HostSession::raisedHealth() const {
  return runtime_.clock.now() < observed_->raisedUntil ? observed_->raised : bmc::Health::unknown;
}

}  // namespace ingot::agent
