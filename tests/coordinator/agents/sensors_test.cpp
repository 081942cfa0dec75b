// What agents tell of sensors, and what Prometheus sees of it.
#include "coordinator/agents/sensor_book.hpp"
#include "tests/coordinator/agents/fleet.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::SensorBook;

namespace {

wire::SensorFacts factsOf(std::vector<bmc::Sensor> readings, std::int64_t ageMs = 0) {
  return {.host = "u1", .ageMs = ageMs, .sensors = {.readings = std::move(readings)}};
}

std::string written(const SensorBook& book, base::MonoTime now) {
  std::string out;
  book.write(out, now);
  return out;
}

const kube::ObjectKey host{"metal", "a"};
const base::MonoTime noon{1h};

}  // namespace

TEST_CASE("readings are gauges with the units of Prometheus", "[sensors]") {
  SensorBook book;
  book.take("u1", host,
            factsOf({{"Inlet \"1\"", "temperature", "Cel", 23.5, "Intake", "OK"},
                     {"Fan", "fan", "%", 40, "", "Critical"},
                     {"Fan", "voltage", "V", 12.1, "", ""}}),
            6min, noon);
  CHECK(written(book, noon) ==
        "# HELP bmh_temperature_celsius Temperature that a sensor of a host reads\n"
        "# TYPE bmh_temperature_celsius gauge\n"
        "bmh_temperature_celsius{namespace=\"metal\",host=\"a\",sensor=\"Inlet \\\"1\\\"\",context=\"Intake\"} 23.5\n"
        "# HELP bmh_fan_ratio Speed of a fan of a host, as a share of its highest\n"
        "# TYPE bmh_fan_ratio gauge\n"
        "bmh_fan_ratio{namespace=\"metal\",host=\"a\",sensor=\"Fan\"} 0.4\n"
        "# HELP bmh_voltage_volts Voltage that a sensor of a host reads\n"
        "# TYPE bmh_voltage_volts gauge\n"
        "bmh_voltage_volts{namespace=\"metal\",host=\"a\",sensor=\"Fan\"} 12.1\n"
        "# HELP bmh_sensor_state What a sensor of a host says of itself: 0 OK, 1 Warning, 2 Critical\n"
        "# TYPE bmh_sensor_state gauge\n"
        "bmh_sensor_state{namespace=\"metal\",host=\"a\",sensor=\"Inlet \\\"1\\\"\",context=\"Intake\"} 0\n"
        "bmh_sensor_state{namespace=\"metal\",host=\"a\",sensor=\"Fan\"} 2\n");
}

TEST_CASE("what is too old, or of a host that is gone, is shown no more", "[sensors]") {
  SensorBook book;
  book.take("u1", host, factsOf({{"Inlet", "temperature", "Cel", 23, "", ""}}, 60'000), 6min, noon);
  CHECK_FALSE(written(book, noon + 5min).empty());
  CHECK(written(book, noon + 5min + 1s).empty());
  CHECK_FALSE(written(book, noon).empty());
  book.take("u1", host, factsOf({}), 6min, noon);
  CHECK(written(book, noon).empty());
  book.take("u1", host, factsOf({{"Inlet", "temperature", "Cel", 23, "", ""}}), 6min, noon);
  book.forget("u1");
  CHECK(written(book, noon).empty());
}

TEST_CASE("an agent that has gone wrong makes no series of its own, and no more than a host can have", "[sensors]") {
  SensorBook book;
  std::vector<bmc::Sensor> readings{{"x", "secret", "Cel", 1, "", ""},
                                    {"x", "temperature", "F", 1, "", ""},
                                    {"x", "temperature", "Cel", std::numeric_limits<double>::infinity(), "", ""}};
  for (int i = 0; i < 5000; ++i) readings.push_back({std::to_string(i), "temperature", "Cel", 1, "", ""});
  readings.push_back({"0", "temperature", "Cel", 2, "", ""});
  book.take("u1", host, factsOf(std::move(readings), -5), 6min, noon);
  const auto text = written(book, noon);
  CHECK(std::ranges::count(text, '\n') == 2 + bmc::mostSensors);
}

TEST_CASE("sensors are asked for, and believed of the agent that serves the host with the access that it has",
          "[sensors]") {
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  REQUIRE(fleet.lastGrant);
  CHECK(fleet.lastGrant->sensorPollMs == 120'000);
  auto facts = factsOf({{"Inlet", "temperature", "Cel", 23, "", ""}});
  facts.host = fleet.uid(0);
  facts.term = fleet.lastGrant->token.term;
  const auto shown = [&](std::int64_t lease) {
    facts.lease = lease;
    fleet.say(facts);
    fleet.clock.advance(1s);
    return !written(fleet.sensors, fleet.clock.now()).empty();
  };
  const auto lease = fleet.lastGrant->token.lease;
  CHECK_FALSE(shown(lease + 1));  // which was never given
  CHECK_FALSE(shown(0));          // with another access, perhaps to another machine
  CHECK(shown(lease));
  fleet.run(fleet.client->remove<api::BareMetalHost>({"metal", "host-0"}));
  fleet.clock.advance(5s);
  CHECK(written(fleet.sensors, fleet.clock.now()).empty());
}
