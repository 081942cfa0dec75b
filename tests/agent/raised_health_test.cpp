// What sensors say of a host that its BMC leaves out of its judgement (docs/decisions/0039).
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// A server with one leak detector, whose sensors are read every minute.
struct LiquidCooled : AgentBench {
  explicit LiquidCooled(std::string_view status = R"({"Health":"OK"})") {
    bmc.documents["/redfish/v1/Systems/1"] = fmt::format(
        R"({{"Id":"1","PowerState":"On","Status":{},"Links":{{"Chassis":[{{"@odata.id":"/c"}}]}}}})", status);
    bmc.documents["/c"] = R"({"LeakDetectors":{"@odata.id":"/l"}})";
    bmc.documents["/l"] = R"({"Members":[{"@odata.id":"/l/1"}]})";
    leak("OK");
    greet();
    auto wanted = grant({5, 1, 0});
    wanted.sensorPollMs = 60'000;
    say(wanted);
    pass(3);
  }
  void leak(std::string_view state) {
    bmc.documents["/l/1"] = fmt::format(R"({{"Name":"Cold plates","DetectorState":"{}"}})", state);
  }
  void pass(int minutes) {
    for (int i = 0; i < minutes; ++i) {
      say(wire::Renew{.term = 5, .echoMs = lastStamp(), .ttlMs = 120'000, .leases = {{"u1", 1}}});
      clock.advance(1min);
    }
  }
  [[nodiscard]] std::string health() const { return all<wire::Facts>().back().health; }
};

}  // namespace

TEST_CASE("a leak counts for the health of a host that its BMC finds well, until it is gone") {
  LiquidCooled bench;
  CHECK(bench.health() == "OK");
  bench.leak("Critical");
  bench.pass(2);
  CHECK(bench.health() == "Critical");
  CHECK(bench.all<wire::SensorFacts>().back().sensors.parts.front().health == "Critical");
  bench.leak("OK");
  bench.pass(2);
  CHECK(bench.health() == "OK");
}

TEST_CASE("what sensors raise is told with the reading, and not with the next one of the power") {
  LiquidCooled bench;
  bench.leak("Warning");
  REQUIRE(bench.clock.advanceUntil(
      [&] { return bench.all<wire::SensorFacts>().back().sensors.parts.front().health == "Warning"; }, 2min));
  CHECK(bench.health() == "Warning");
}

TEST_CASE("what sensors raise is believed for three intervals when they cannot be read any more") {
  LiquidCooled bench;
  bench.leak("Critical");
  bench.pass(2);
  REQUIRE(bench.health() == "Critical");
  bench.bmc.documents.erase("/c");
  bench.pass(2);
  CHECK(bench.health() == "Critical");
  bench.pass(3);
  CHECK(bench.health() == "OK");
  bench.bmc.documents["/c"] = R"({"LeakDetectors":{"@odata.id":"/l"}})";
  bench.leak("Warning");
  bench.pass(2);
  CHECK(bench.health() == "Warning");
}

TEST_CASE("sensors that find nothing make no host well, and no health of a BMC better") {
  LiquidCooled silent("{}");
  CHECK(silent.health() == "Unknown");
  LiquidCooled bad(R"({"Health":"Critical"})");
  bad.leak("Warning");
  bad.pass(2);
  CHECK(bad.health() == "Critical");
}
