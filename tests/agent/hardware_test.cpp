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
  const auto isNotReadYet = [&](std::chrono::minutes time) {
    bench.pass(time);
    CHECK(bench.bmc.inventories == 1);
  };
  SECTION("it was switched off and on") {
    bench.readFirst();
    bench.pass(10min);
    bench.bmc.powerState = "Off";
    bench.pass(1min);
    bench.bmc.powerState = "On";
    isNotReadYet(4min);
  }
  SECTION("it was restarted, as its BMC tells") {
    progress("OSRunning");
    bench.readFirst();
    bench.pass(10min);
    progress("MemoryInitializationStarted");
    isNotReadYet(4min);
    progress("OSRunning");
  }
  SECTION("it was restarted, and its BMC told nothing for a moment") {
    progress("OSRunning");
    bench.readFirst();
    bench.pass(10min);
    progress("None");
    bench.pass(1min);
    progress("MemoryInitializationStarted");
    isNotReadYet(4min);
    progress("OSRunning");
  }
  SECTION("it was restarted by us") {
    bench.readFirst();
    bench.pass(10min);
    bench.serve(5, 6 * 3600 * 1000, 2);
    CHECK(bench.command({5, 2, 1}, "hard-restart").outcome == "done");
    isNotReadYet(4min);
  }
  SECTION("its BMC was silent for minutes") {
    bench.readFirst();
    bench.pass(10min);
    bench.bmc.instead = [](const auto&) { return net::HttpResponse{.status = 0}; };
    bench.pass(5min);
    bench.bmc.instead = nullptr;
    bench.pass(1min);
    isNotReadYet(4min);
  }
  SECTION("its BMC judges its health otherwise") {
    bench.readFirst();
    bench.pass(10min);
    bench.bmc.moreOfSystem = R"(,"Status":{"Health":"Critical","HealthRollup":"Critical"})";
    bench.pass(2min);
    CHECK(bench.bmc.inventories == 2);
    return;
  }
  SECTION("its BMC judged nothing for a while, and then otherwise") {
    bench.readFirst();
    bench.pass(10min);
    bench.bmc.moreOfSystem = R"(,"Status":{})";
    isNotReadYet(2min);
    bench.bmc.moreOfSystem = R"(,"Status":{"Health":"Critical","HealthRollup":"Critical"})";
  }
  SECTION("another coordinator leads, which knows nothing") {
    bench.readFirst();
    bench.pass(10min);
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

TEST_CASE("a health that the health poll finds changed has the hardware read as well") {
  WithHardware bench;
  auto wanted = bench.grant({5, 2, 0});
  wanted.inventoryPollMs = 6 * 3600 * 1000;
  wanted.powerPollMs = 60'000;
  wanted.healthPollMs = 1000;
  bench.say(wanted);
  bench.readFirst();
  bench.pass(10min);
  bench.bmc.moreOfSystem = R"(,"Status":{"Health":"Critical","HealthRollup":"Critical"})";
  bench.pass(3min);
  CHECK(bench.bmc.inventories == 2);
}

TEST_CASE(
    "what happens while the hardware is read has it read again, and a reading across a restart counts for nothing") {
  WithHardware bench;
  bench.bmc.documents["/redfish/v1/Systems/1/Processors"] =
      R"({"Members":[{"@odata.id":"/p/1"},{"@odata.id":"/p/2"},{"@odata.id":"/p/3"}]})";
  int begun = 0;
  bench.bmc.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/p/1") ++begun;
    if (request.path().starts_with("/p/")) co_await bench.clock.sleepFor(4s);
  };
  REQUIRE(bench.clock.advanceUntil([&] { return begun == 1; }, 12min));
  const bool isRestarted = GENERATE(true, false);
  if (isRestarted)
    bench.bmc.moreOfSystem = R"(,"BootProgress":{"LastState":"MemoryInitializationStarted"})";
  else
    bench.serve(6);
  bench.clock.advance(20s);
  REQUIRE(begun == 1);
  CHECK(bench.told().empty() == isRestarted);
  bench.pass(22min);
  CHECK(begun == 2);
  CHECK(bench.told().back().term == (isRestarted ? 5 : 6));
}

TEST_CASE("reasons to look that never end have the hardware read every ten minutes, and in a boot loop at last") {
  WithHardware bench;
  bench.readFirst();
  const bool boots = GENERATE(false, true);
  for (int i = 0; i < 60; ++i) {
    const auto* state = i % 2 == 0 ? "MemoryInitializationStarted" : "OSRunning";
    const auto* health = i % 2 == 0 ? "Critical" : "OK";
    bench.bmc.moreOfSystem = boots ? fmt::format(R"(,"BootProgress":{{"LastState":"{}"}})", state)
                                   : fmt::format(R"(,"Status":{{"Health":"{}","HealthRollup":"{}"}})", health, health);
    bench.pass(1min);
  }
  CHECK(bench.bmc.inventories >= (boots ? 3 : 5));
  CHECK(bench.bmc.inventories <= 7);
}

TEST_CASE("what the BMC has and did not show is looked for after an hour, what it never shows is not") {
  WithHardware bench;
  bench.bmc.moreOfSystem = R"(,"Storage":{"@odata.id":"/redfish/v1/Systems/1/Storage"})";  // which is not there
  bench.readFirst();
  bench.pass(75min);
  CHECK(bench.bmc.inventories == 2);
  bench.pass(4h);
  CHECK(bench.bmc.inventories == 2);
  bench.pass(3h);
  CHECK(bench.bmc.inventories == 3);
}

TEST_CASE("hosts that nobody knows yet are not all read at once, and a new lease has none read") {
  int early = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    AgentBench bench;
    bench.random->reseed(seed);
    bench.bmc.powerState = "On";
    bench.greet();
    auto wanted = bench.grant({5, 1, 0});
    wanted.inventoryPollMs = 6 * 3600 * 1000;
    bench.say(wanted);
    bench.clock.advance(2min);
    early += bench.bmc.inventories;
  }
  CHECK(early < 8);
  WithHardware bench;
  bench.readFirst();
  bench.serve(5, 6 * 3600 * 1000, 2);
  bench.pass(25min);
  CHECK(bench.bmc.inventories == 1);
}
