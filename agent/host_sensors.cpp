// What the sensors of a host read.
#include "agent/host_observed.hpp"
#include "bmc/capability/sensors.hpp"

#include "base/milliseconds.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration quick = std::chrono::seconds(5);
constexpr int slowFactor = 120;
constexpr base::Duration longestPause = std::chrono::hours(1);
constexpr base::Duration longestUntilNext = std::chrono::hours(4);
constexpr int believedIntervals = 3;  // what sensors raise

// What was raised before stands while a reading waits for its turn.
class Waiting {
 public:
  Waiting(RaisedHealth& raised, base::Clock& clock) : raised_(raised), clock_(clock) { raised_.wait(clock_.now()); }
  ~Waiting() { raised_.goOn(clock_.now()); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  RaisedHealth& raised_;
  base::Clock& clock_;
};

}  // namespace

// A BMC that takes long for them is asked less often: its power is not read meanwhile. With many such BMCs the turn is
// waited for as well, which is told as the last time taught.
base::Task<base::Duration> HostSession::readSensors(std::shared_ptr<bmc::Driver> driver) {
  const auto [term, lease] = std::pair(lease_.grant().term, lease_.grant().lease);
  const auto wantedAt = runtime_.clock.now();
  bmc::SensorReading reading;
  {
    const Waiting waiting(observed_->raised, runtime_.clock);
    reading = co_await driver->sensors->readSensors(bmc::Lane::background);
  }
  const auto waited = std::max(base::Duration{}, reading.asked - wantedAt);
  const auto takes = runtime_.clock.now() - reading.asked;
  for (const auto& why : reading.sensors.unread)
    runtime_.log.debug("a sensor was not read", {{"host", grant_.name}, {"why", why}});
  const auto pause = std::min(std::max(base::Duration{}, takes - quick) * slowFactor, longestPause);
  if (driver != driver_) co_return pause;
  const auto nextIn = std::min(std::max(base::fromMilliseconds(grant_.sensorPollMs), pause) + waited, longestUntilNext);
  noteRaised(reading, reading.asked + believedIntervals * nextIn);
  report_(wire::SensorFacts{.host = grant_.host,
                            .term = term,
                            .lease = lease,
                            .ageMs = ageMs(reading.asked),
                            .nextInMs = nextIn / std::chrono::milliseconds(1),
                            .sensors = std::move(reading.sensors)});
  co_return pause;
}

// A failed power supply is told at once, and not by the next reading of the power.
void HostSession::noteRaised(const bmc::SensorReading& reading, base::MonoTime until) {
  observed_->raised.note(reading, runtime_.clock.now(), until);
  if (!observed_->healthAt) return;
  if (noteHealth(observed_->ofBmc, *observed_->healthAt)) tellReading();
}

}  // namespace ingot::agent
