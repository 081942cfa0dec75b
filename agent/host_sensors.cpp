// What the sensors of a host read.
#include "agent/host_observed.hpp"
#include "bmc/capability/sensors.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration quick = std::chrono::seconds(5);
constexpr int slowFactor = 120;

}  // namespace

// A BMC that takes long for them is asked less often: its power is not read meanwhile.
base::Task<base::Duration> HostSession::readSensors(std::shared_ptr<bmc::Driver> driver) {
  const auto [term, lease] = std::pair(lease_.grant().term, lease_.grant().lease);
  auto reading = co_await driver->sensors->readSensors(bmc::Lane::background);
  const auto takes = runtime_.clock.now() - reading.asked;
  for (const auto& why : reading.sensors.unread)
    runtime_.log.debug("a sensor was not read", {{"host", grant_.name}, {"why", why}});
  if (driver == driver_)
    report_(wire::SensorFacts{.host = grant_.host,
                              .term = term,
                              .lease = lease,
                              .ageMs = ageMs(reading.asked),
                              .sensors = std::move(reading.sensors)});
  co_return std::max(base::Duration{}, takes - quick) * slowFactor;
}

}  // namespace ingot::agent
