// What the sensors of a host read, for as long as the coordinator wants to know.
#include "agent/host_observed.hpp"
#include "base/milliseconds.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration shortestSensorInterval = std::chrono::seconds(1);
constexpr base::Duration longestSensorInterval = std::chrono::hours(24);
constexpr base::Duration untilFirst = std::chrono::seconds(10);  // power and identity come first
constexpr base::Duration untilWanted = std::chrono::seconds(30);
constexpr base::Duration quick = std::chrono::seconds(5);
constexpr int slowFactor = 120;
constexpr base::Duration afterSilence = std::chrono::hours(1);  // it takes longer than there is time for them

}  // namespace

base::Task<void> HostSession::pollSensors() {
  PollPace pace(runtime_);
  base::Duration slow{};  // a BMC that takes long for them is asked less often: its power is not read meanwhile
  co_await runtime_.clock.sleepFor(pace.pauseAfter(untilFirst));
  while (true) {
    const auto driver = driver_;
    // Whether the BMC answers at all is for the power polls to tell.
    const bool isWanted = grant_.sensorPollMs > 0 && driver && observed_->powerAt && observed_->errorCode.empty();
    if (isWanted) {
      const auto [term, lease] = std::pair(lease_.grant().term, lease_.grant().lease);
      try {
        auto reading = co_await driver->readSensors(bmc::Lane::background);
        pace.succeeded();
        slow = std::max(base::Duration{}, (runtime_.clock.now() - reading.asked) - quick) * slowFactor;
        for (const auto& why : reading.sensors.unread)
          runtime_.log.debug("a sensor was not read", {{"host", grant_.name}, {"why", why}});
        if (driver == driver_)
          report_(wire::SensorFacts{.host = grant_.host,
                                    .term = term,
                                    .lease = lease,
                                    .ageMs = ageMs(reading.asked),
                                    .sensors = std::move(reading.sensors)});
      } catch (const base::Cancelled&) {
        throw;
      } catch (const bmc::Error& error) {
        if (error.origin() == bmc::Error::Origin::bmc) {
          pace.failed();
          if (isSilence(error.code())) slow = afterSilence;
        }
        runtime_.log.debug("sensors were not read", {{"host", grant_.name}, {"error", error.what()}});
      } catch (const std::exception& error) {
        pace.failed();
        runtime_.log.debug("sensors were not read", {{"host", grant_.name}, {"error", error.what()}});
      }
    }
    const auto interval = std::clamp<base::Duration>(base::fromMilliseconds(grant_.sensorPollMs),
                                                     shortestSensorInterval, longestSensorInterval);
    co_await runtime_.clock.sleepFor(std::max(pace.pauseAfter(isWanted ? interval : untilWanted), slow));
  }
}

}  // namespace ingot::agent
