// The hardware of hosts that are on, as it is read without being asked for.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct WithHardware : AgentBench {
  explicit WithHardware(std::int64_t inventoryPollMs = 6 * 3600 * 1000, std::string power = "On") {
    bmc.powerState = std::move(power);
    greet();
    serve(5, inventoryPollMs);
  }
  void serve(std::int64_t term, std::int64_t inventoryPollMs = 6 * 3600 * 1000, std::int64_t lease = 1) {
    auto wanted = grant({term, lease, 0});
    wanted.inventoryPollMs = inventoryPollMs;
    say(wanted);
  }
  void pass(std::chrono::minutes time) {
    for (; time > 0min; time -= 1min) {
      say(wire::Renew{.term = 5, .echoMs = lastStamp(), .ttlMs = 120'000, .leases = {{"u1", 1}}});
      clock.advance(1min);
    }
  }
  // Within ten minutes, when nobody knows the hardware yet.
  void readFirst() {
    pass(12min);
    REQUIRE(bmc.inventories == 1);
  }
  [[nodiscard]] std::vector<wire::HardwareFacts> told() const { return all<wire::HardwareFacts>(); }
};

}  // namespace

TEST_CASE("the hardware of a host that is on is told once it is served, and then a few times a day") {
  WithHardware bench;
  bench.readFirst();
  REQUIRE(bench.told().size() == 1);
  const auto first = bench.told().back();
  CHECK(first.host == "u1");
  CHECK(first.term == 5);
  CHECK(first.lease == 1);
  CHECK(first.inventory.serialNumber == "S1");
  bench.pass(5h);
  CHECK(bench.bmc.inventories == 1);
  bench.pass(2h);
  CHECK(bench.bmc.inventories == 2);
  CHECK(bench.told().size() == 2);
}

TEST_CASE("a coordinator that does not ask for it is told no hardware") {
  WithHardware bench(0);
  bench.pass(30min);
  CHECK(bench.bmc.inventories == 0);
}

TEST_CASE("of a host that is off the hardware is not read, but some minutes after it is on") {
  WithHardware bench(6 * 3600 * 1000, "Off");
  bench.pass(8h);
  CHECK(bench.bmc.inventories == 0);
  bench.bmc.powerState = "On";
  bench.pass(4min);
  CHECK(bench.bmc.inventories == 0);  // in POST the BMC tells of the hardware that was there before
  bench.pass(3min);
  CHECK(bench.bmc.inventories == 1);
}

TEST_CASE("the hardware is read again when it may be another") {
  WithHardware bench;
  const auto progress = [&](std::string_view state) {
    bench.bmc.moreOfSystem = fmt::format(R"(,"BootProgress":{{"LastState":"{}"}})", state);
  };
  SECTION("it was switched off and on") {
    bench.readFirst();
    bench.bmc.powerState = "Off";
    bench.pass(1min);
    bench.bmc.powerState = "On";
    bench.pass(4min);
    CHECK(bench.bmc.inventories == 1);
  }
  SECTION("it was restarted, as its BMC tells") {
    progress("OSRunning");
    bench.readFirst();
    progress("MemoryInitializationStarted");
    bench.pass(4min);
    CHECK(bench.bmc.inventories == 1);
    progress("OSRunning");
  }
  SECTION("it was restarted by us") {
    bench.readFirst();
    bench.serve(5, 6 * 3600 * 1000, 2);
    CHECK(bench.command({5, 2, 1}, "hard-restart").outcome == "done");
    bench.pass(4min);
    CHECK(bench.bmc.inventories == 1);
  }
  SECTION("its BMC judges its health otherwise") {
    bench.readFirst();
    bench.bmc.moreOfSystem = R"(,"Status":{"Health":"Critical","HealthRollup":"Critical"})";
  }
  SECTION("another coordinator leads, which knows nothing") {
    bench.readFirst();
    bench.serve(6);
    bench.pass(6min);
  }
  SECTION("its address or password are others") {
    bench.readFirst();
    auto wanted = bench.grant({5, 2, 0});
    wanted.inventoryPollMs = 6 * 3600 * 1000;
    wanted.verifyCertificate = false;
    bench.say(wanted);
  }
  bench.pass(6min);
  CHECK(bench.bmc.inventories == 2);
}
