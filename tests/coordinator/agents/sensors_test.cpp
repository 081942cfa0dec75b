// What agents tell of sensors, and what Prometheus sees of it.
#include "coordinator/agents/reading_book.hpp"

#include "coordinator/agents/bmc_access.hpp"
#include "tests/coordinator/agents/fleet.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <sstream>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::ReadingBook;

namespace {

wire::SensorFacts factsOf(std::vector<bmc::Sensor> readings, std::int64_t ageMs = 0) {
  return {.host = "u1", .ageMs = ageMs, .sensors = {.readings = std::move(readings)}};
}

std::string written(const ReadingBook& book, base::MonoTime now) {
  std::string out;
  book.write(out, now);
  return out;
}

const kube::ObjectKey host{"metal", "a"};
const base::MonoTime noon{1h};

}  // namespace

TEST_CASE("readings are gauges with the units of Prometheus", "[sensors]") {
  ReadingBook book;
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
        "bmh_sensor_state{namespace=\"metal\",host=\"a\",sensor=\"Inlet \\\"1\\\"\",kind=\"temperature\","
        "context=\"Intake\"} 0\n"
        "bmh_sensor_state{namespace=\"metal\",host=\"a\",sensor=\"Fan\",kind=\"fan\"} 2\n");
}

TEST_CASE("the health of fans and power supplies is a gauge, of each name once", "[sensors]") {
  ReadingBook book;
  auto facts = factsOf({});
  facts.sensors.parts = {{"/p/0", "power-supply", "PS1", "Enabled", "OK"},
                         {"/p/1", "power-supply", "PS2", "UnavailableOffline", "Critical"},
                         {"/p/2", "power-supply", "PS2", "Enabled", "OK"},
                         {"/f/0", "fan", "PS2", "Enabled", "Warning"},
                         {"/f/1", "fan", "Fan 1", "Enabled", "perhaps"}};
  book.take("u1", host, facts, 6min, noon);
  CHECK(written(book, noon) ==
        "# HELP bmh_component_state Health of a part of a host, as its BMC judges: 0 OK, 1 Warning, 2 Critical\n"
        "# TYPE bmh_component_state gauge\n"
        "bmh_component_state{namespace=\"metal\",host=\"a\",component=\"PS1\",kind=\"power-supply\"} 0\n"
        "bmh_component_state{namespace=\"metal\",host=\"a\",component=\"PS2\",kind=\"power-supply\"} 2\n"
        "bmh_component_state{namespace=\"metal\",host=\"a\",component=\"PS2\",kind=\"fan\"} 1\n");
  CHECK(written(book, noon + 7min).empty());
  facts.sensors.parts.assign(1000, {std::string(5000, 'p'), "fan", "", std::string(5000, 's'), "OK"});
  for (int i = 0; i < 1000; ++i) facts.sensors.parts[i].name = std::to_string(i) + std::string(500, 'n');
  book.take("u1", host, facts, 6min, noon);
  CHECK(std::ranges::count(written(book, noon), '\n') == 2 + static_cast<std::ptrdiff_t>(bmc::mostParts));
  CHECK(book.find(host, noon)->sensors.size() < 64UL * 600);
}

TEST_CASE("the parts that discrete sensors tell of are gauges, in place of those of an inventory", "[sensors]") {
  ReadingBook book;
  book.takeComponents("u1", host, {{"/m/1", "memory", "DIMM", "Enabled", "OK"}}, noon + 6h);
  auto facts = factsOf({});
  facts.sensors.parts = {{"", "leak-detector", "Plate", "Enabled", "Critical"},
                         {"", "kitchen", "Sink", "", "Critical"}};
  book.take("u1", host, facts, 6min, noon);
  CHECK_THAT(written(book, noon), Catch::Contains("component=\"DIMM\",kind=\"memory\"} 0") &&
                                      Catch::Contains("component=\"Plate\",kind=\"leak-detector\"} 2") &&
                                      !Catch::Contains("kitchen"));
  facts.sensors.parts = {{"", "memory", "DIMM", "Uncorrectable ECC", "Critical"}};
  book.take("u1", host, facts, 6min, noon);
  CHECK_THAT(written(book, noon), Catch::Contains("component=\"DIMM\",kind=\"memory\"} 2") &&
                                      !Catch::Contains("component=\"DIMM\",kind=\"memory\"} 0"));
}

TEST_CASE("what is too old, or of a host that is gone, is shown no more", "[sensors]") {
  ReadingBook book;
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

TEST_CASE("no series is written twice, whatever a host calls its sensors", "[sensors]") {
  ReadingBook book;
  book.take("u1", host,
            factsOf({{"PSU1 input", "power", "W", 130, "", "OK"}, {"PSU1 input", "voltage", "V", 230, "", "Critical"}}),
            6min, noon);
  std::set<std::string> series;
  std::istringstream lines(written(book, noon));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with('#')) CHECK(series.insert(line.substr(0, line.rfind(' '))).second);
  CHECK(series.size() == 4);
}

TEST_CASE("an agent that has gone wrong makes no series of its own, and no more than a host can have", "[sensors]") {
  ReadingBook book;
  std::vector<bmc::Sensor> readings{{"x", "secret", "Cel", 1, "", ""},
                                    {"x", "temperature", "F", 1, "", ""},
                                    {"x", "temperature", "Cel", std::numeric_limits<double>::infinity(), "", ""},
                                    {std::string(5000, 'y'), "temperature", "Cel", 1, std::string(5000, 'z'), ""},
                                    {"0", "temperature", "Cel", 2, "", ""}};
  for (int i = 0; i < 5000; ++i) readings.push_back({std::to_string(i), "temperature", "Cel", 1, "", ""});
  book.take("u1", host, factsOf(std::move(readings), -3'600'000), 6min, noon);
  const auto text = written(book, noon);
  CHECK(std::ranges::count(text, '\n') == 2 + bmc::mostSensors);
  CHECK(text.find("Inf") == std::string::npos);
  CHECK(text.find("sensor=\"0\"") == text.rfind("sensor=\"0\""));
  CHECK(text.size() < bmc::mostSensors * 300);
  CHECK(written(book, noon + 6min + 1ms).empty());  // nothing is from the future
}

TEST_CASE("a fleet with too many sensors is shown as far as there is room, and the rest is counted", "[sensors]") {
  ReadingBook book;
  std::vector<bmc::Sensor> readings;
  readings.reserve(bmc::mostSensors);
  for (std::size_t i = 0; i < bmc::mostSensors; ++i)
    readings.push_back({std::to_string(i), "temperature", "Cel", 1, "", ""});
  const auto hosts = ReadingBook::mostReadings / bmc::mostSensors + 3;
  const auto take = [&](std::size_t i) {
    book.take(std::to_string(i), {"metal", std::to_string(i)}, factsOf(readings), 6min, noon);
  };
  for (std::size_t i = 0; i < hosts; ++i) take(i);
  auto text = written(book, noon);
  CHECK(static_cast<std::size_t>(std::ranges::count(text, '\n')) <= ReadingBook::mostReadings + 5);
  CHECK(text.ends_with("bmh_sensors_left_out 3\n"));
  for (std::size_t i = 0; i < 3; ++i) book.forget(std::to_string(i));
  for (std::size_t i = hosts - 3; i < hosts; ++i) take(i);
  CHECK(written(book, noon).find("bmh_sensors_left_out") == std::string::npos);
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
    return written(fleet.readings, fleet.clock.now()).find("bmh_temperature_celsius{") != std::string::npos;
  };
  const auto lease = fleet.lastGrant->token.lease;
  CHECK_FALSE(shown(lease + 1));  // which was never given
  CHECK_FALSE(shown(0));          // with another access, perhaps to another machine
  CHECK(shown(lease));
  const auto later = [&](base::Duration time) { return written(fleet.readings, fleet.clock.now() + time); };
  CHECK(later(5min).find("bmh_temperature_celsius{") != std::string::npos);
  CHECK(later(6min).find("bmh_temperature_celsius{") == std::string::npos);
  fleet.run(fleet.client->patch<kube::Secret>({"metal", "host-0-bmc"},
                                              json::Object{{"data", json::Object{{"password", "Y2hhbmdlZA=="}}}}));
  fleet.clock.advance(5s);
  CHECK(written(fleet.readings, fleet.clock.now()).find("bmh_temperature_celsius{") == std::string::npos);
  CHECK_FALSE(shown(lease));
  CHECK(shown(fleet.lastGrant->token.lease));
  fleet.run(fleet.client->remove<api::BareMetalHost>({"metal", "host-0"}));
  fleet.clock.advance(5s);
  CHECK(written(fleet.readings, fleet.clock.now()).empty());
}

TEST_CASE("whether a host is behind IPMI, where sensors cost more, is what its address says", "[sensors]") {
  using coordinator::agents::speaksIpmi;
  for (const auto* address : {"ipmi://10.0.0.1", "libvirt://10.0.0.1:6233", "10.0.0.1"}) CHECK(speaksIpmi(address));
  for (const auto* address : {"redfish://10.0.0.1", "idrac-virtualmedia://10.0.0.1", "x://"})
    CHECK_FALSE(speaksIpmi(address));
}

TEST_CASE("power, health and whether the BMC answers are shown while they are fresh", "[sensors]") {
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  REQUIRE(fleet.lastGrant);
  const wire::Token& token = fleet.lastGrant->token;
  std::int64_t seq = 0;
  const auto tell = [&](std::string power, std::string health, std::string error) {
    fleet.say(wire::Facts{.host = fleet.uid(0),
                          .seq = ++seq,
                          .term = token.term,
                          .lease = token.lease,
                          .stampMs = fleet.stamp(),
                          .power = std::move(power),
                          .powerAgeMs = 0,
                          .health = std::move(health),
                          .healthAgeMs = 0,
                          .bmcErrorCode = std::move(error)});
    fleet.clock.advance(1s);
    return written(fleet.readings, fleet.clock.now());
  };
  const auto shows = [](const std::string& text, const std::string& line) {
    return text.find(line + "\n") != std::string::npos;
  };
  const std::string labels = R"({namespace="metal",host="host-0"})";
  auto text = tell("On", "Warning", "");
  CHECK(shows(text, "bmh_bmc_up" + labels + " 1"));
  CHECK(shows(text, "bmh_power_state" + labels + " 1"));
  CHECK(shows(text, "bmh_health_state" + labels + " 1"));
  text = tell("Off", "Unknown", "timeout");
  CHECK(shows(text, "bmh_bmc_up" + labels + " 0"));
  CHECK(shows(text, "bmh_power_state" + labels + " 0"));
  CHECK_FALSE(shows(text, "bmh_health_state" + labels + " 1"));
  fleet.clock.advance(30s);
  text = written(fleet.readings, fleet.clock.now());
  CHECK(text.find("bmh_power_state") == std::string::npos);
  CHECK(shows(text, "bmh_bmc_up" + labels + " 0"));
  fleet.clock.advance(3min);
  CHECK(written(fleet.readings, fleet.clock.now()).empty());
}

TEST_CASE("why something of a host is not read is kept as an agent tells it, cut to what is shown", "[sensors]") {
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  REQUIRE(fleet.lastGrant);
  wire::Facts facts{.host = fleet.uid(0),
                    .term = fleet.lastGrant->token.term,
                    .lease = fleet.lastGrant->token.lease,
                    .power = "On",
                    .health = "OK"};
  const auto obstacle = [&](const char* what) {
    return fleet.readings.obstacle({"metal", "host-0"}, what, fleet.clock.now());
  };
  const auto say = [&] {
    ++facts.seq;
    facts.stampMs = fleet.stamp();
    fleet.say(facts);
    fleet.clock.advance(1s);
  };
  facts.unread = {{"sensors", "busy", std::string(10'000, 'x'), 60'000},
                  {"logs", "timeout", "no answer", std::numeric_limits<std::int64_t>::min()},
                  {"hardware", "protocol", "no JSON", 1000},
                  {"more", "busy", "than there is", 1000}};
  say();
  REQUIRE(obstacle("sensors"));
  CHECK(obstacle("sensors")->code == "busy");
  CHECK(obstacle("sensors")->error.size() <= 300);
  CHECK(obstacle("sensors")->age.value() >= 60s);
  CHECK(obstacle("sensors")->age.value() <= 70s);
  REQUIRE(obstacle("logs"));
  CHECK(obstacle("logs")->error == "no answer");
  CHECK(obstacle("logs")->age.value() >= 0s);
  CHECK(obstacle("logs")->age.value() <= 10s);
  CHECK(obstacle("hardware"));
  CHECK_FALSE(obstacle("more"));

  facts.unread.clear();
  facts.bmcErrorCode = "timeout";
  facts.bmcError = "no route to it";
  say();
  REQUIRE(obstacle("sensors"));
  CHECK(obstacle("sensors")->code == "timeout");
  CHECK(obstacle("sensors")->error == "no route to it");

  facts.bmcErrorCode = facts.bmcError = "";
  say();
  CHECK_FALSE(obstacle("sensors"));
}

TEST_CASE("readings are believed as long as the agent says that the next ones take", "[sensors]") {
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  REQUIRE(fleet.lastGrant);
  auto facts = factsOf({{"Inlet", "temperature", "Cel", 23, "", ""}});
  facts.host = fleet.uid(0);
  facts.term = fleet.lastGrant->token.term;
  facts.lease = fleet.lastGrant->token.lease;
  const auto shownFor = [&](std::int64_t nextInMs) {
    facts.nextInMs = nextInMs;
    fleet.say(facts);
    fleet.clock.advance(1s);
    base::Duration time{};
    while (written(fleet.readings, fleet.clock.now() + time).find("bmh_temperature_celsius{") != std::string::npos)
      time += 1min;
    return time;
  };
  CHECK(shownFor(0) == 6min);  // an agent of an earlier version
  CHECK(shownFor(360'000) == 18min);
  CHECK(shownFor(1000) == 6min);
  CHECK(shownFor(std::numeric_limits<std::int64_t>::max()) == 12h);
  CHECK(shownFor(std::numeric_limits<std::int64_t>::min()) == 6min);
}
