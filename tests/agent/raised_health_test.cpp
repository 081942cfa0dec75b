// What sensors say of a host that its BMC leaves out of its judgement (docs/decisions/0039).
#include "tests/agent/fixture.hpp"
#include "tests/bmc/ipmi_results.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// ipmitool in front of a BMC whose sensors are what a test says.
class Sensing final : public base::ProcessRunner {
 public:
  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    const auto& last = spec.argv.back();
    if (last == "info") co_return tests::said("Device ID : 32\nEntries : 0\n");
    if (spec.argv[spec.argv.size() - 2] == "power") co_return tests::said("Chassis Power is on\n");
    if (spec.argv[spec.argv.size() - 2] == "chassis") co_return tests::said("System Power : on\n");
    if (hasNone) co_return tests::failed("Get SDR Repository Info failed: Invalid command");
    co_return base::ProcessResult{.exitCode = 0, .standardOutput = sensors, .standardError = trouble};
  }
  std::string sensors = "MBTemp,48,degrees C,ok\n", trouble;
  bool hasNone = false;
};

// A server with two power supplies behind IPMI, whose sensors are read every minute.
struct TwoSupplies : AgentBench {
  TwoSupplies() {
    stop();
    programs = &ipmitool;
    heard.clear();
    start();
    supplies(good, good);
    greet();
    auto wanted = grant({5, 1, 0});
    wanted.address = "ipmi://bmc.example";
    wanted.sensorPollMs = 60'000;
    say(wanted);
    pass(3);
  }
  ~TwoSupplies() { stop(); }
  void supplies(std::string_view first, std::string_view second) {
    ipmitool.sensors = fmt::format("MBTemp,48,degrees C,ok\nStatus,02h,{}\nStatus,03h,{}\n",
                                   fmt::format(fmt::runtime(first), 1), fmt::format(fmt::runtime(second), 2));
  }
  void pass(int minutes) {
    for (int i = 0; i < minutes; ++i) {
      say(wire::Renew{.term = 5, .echoMs = lastStamp(), .ttlMs = 120'000, .leases = {{"u1", 1}}});
      clock.advance(1min);
    }
  }
  [[nodiscard]] std::string health() const { return all<wire::Facts>().back().health; }

  static constexpr std::string_view good = "ok,10.{},Presence detected",
                                    bad = "ok,10.{},Presence detected, Failure detected",
                                    ailing = "ok,10.{},Presence detected, Predictive failure",
                                    silent = "ns,10.{},No Reading";
  Sensing ipmitool;
};

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

TEST_CASE(
    "a fault over IPMI counts on where the sensors are not read to their end, and is over when it is seen to be") {
  TwoSupplies bench;
  REQUIRE(bench.health() == "OK");
  bench.supplies(bench.good, bench.bad);
  bench.pass(2);
  REQUIRE(bench.health() == "Critical");
  SECTION("ipmitool says so, and ends well") {
    bench.ipmitool.sensors = "MBTemp,48,degrees C,ok\n";
    bench.ipmitool.trouble = "Get SDR 0012 command failed: Node busy\n";
  }
  SECTION("nothing comes") { bench.ipmitool.sensors.clear(); }
  SECTION("its row reads nothing for once") { bench.supplies(bench.good, bench.silent); }
  SECTION("no row reads anything") { bench.supplies(bench.silent, bench.silent); }
  bench.pass(1);
  CHECK(bench.health() == "Critical");
  CHECK(bench.all<wire::SensorFacts>().back().sensors.parts.size() <= 1);
  bench.pass(1);
  bench.ipmitool.trouble.clear();
  bench.supplies(bench.good, bench.good);
  bench.pass(2);
  CHECK(bench.health() == "OK");
}

TEST_CASE("a sensor of IPMI that reads nothing any more raises nothing after three intervals") {
  TwoSupplies bench;
  bench.supplies(bench.good, bench.bad);
  bench.pass(2);
  bench.supplies(bench.good, bench.silent);
  bench.pass(1);
  CHECK(bench.health() == "Critical");
  bench.pass(4);
  CHECK(bench.health() == "OK");
}

TEST_CASE("a lesser fault that was read later counts on when a worse one is not believed any more") {
  TwoSupplies bench;
  bench.supplies(bench.good, bench.bad);
  bench.pass(2);
  bench.supplies(bench.ailing, bench.silent);
  SECTION("the reading was whole") {}
  SECTION("it was cut short") { bench.ipmitool.trouble = "Get SDR 0012 command failed: Node busy\n"; }
  bench.pass(1);
  REQUIRE(bench.health() == "Critical");
  const auto from = bench.all<wire::Facts>().size() - 1;
  bench.ipmitool.hasNone = true;
  bench.pass(6);
  std::vector<std::string> told;
  const auto facts = bench.all<wire::Facts>();
  for (auto at = from; at < facts.size(); ++at)
    if (told.empty() || told.back() != facts[at].health) told.push_back(facts[at].health);
  CHECK(told == std::vector<std::string>{"Critical", "Warning", "OK"});
}

TEST_CASE("what one sensor of IPMI raised is not another's that has its name") {
  TwoSupplies bench;
  bench.supplies(bench.bad, bench.silent);
  bench.pass(2);
  REQUIRE(bench.health() == "Critical");
  bench.supplies(bench.silent, bench.good);
  bench.pass(1);
  CHECK(bench.health() == "Critical");
  bench.supplies(bench.good, bench.silent);
  bench.pass(2);
  CHECK(bench.health() == "OK");
}
