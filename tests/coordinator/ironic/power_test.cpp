// Power through Ironic, and what stands in its way.
#include "tests/coordinator/ironic/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using coordinator::host::RebootMode;
using ironic::State;

TEST_CASE("work that Ironic cannot end because it has lost the BMC does not hold the last power-off") {
  World world;
  world.given(State::inspectWait);
  const auto ended = [&] { return world.pass([](Provisioner& p) { return p.endWork("metadata"); }); };
  world.ironic.record("ns~h")["maintenance"] = true;
  world.ironic.record("ns~h")["fault"] = "power failure";
  CHECK(isDone(ended()));
}

TEST_CASE("what holds a power change is found in the node, or in Ironic's last answer") {
  World world;
  world.given(State::active);
  world.ironic.record("ns~h")["power_state"] = "power on";
  const auto powerOff = [&] { return world.pass([](Provisioner& p) { return p.powerOff({}, ""); }); };
  const auto obstacle = [&] { return world.pass([](Provisioner& p) { return p.obstacle(std::chrono::minutes(1)); }); };
  CHECK(obstacle().empty());
  world.ironic.failNext("PUT", "/states/power", {.kind = FakeFault::Kind::refused});
  CHECK(isWorking(powerOff()));
  CHECK(obstacle().empty());  // nobody has refused anything
  world.ironic.failNext("PUT", "/states/power", {.status = 409, .text = "the node does not like it"});
  CHECK(isWorking(powerOff()));
  CHECK_THAT(obstacle(), Catch::Contains("the node does not like it"));
  world.ironic.lock("ns~h");
  CHECK(isWorking(powerOff()));
  CHECK_THAT(obstacle(), Catch::Contains("is locked by Ironic's conductor"));
  world.ironic.lock("ns~h", false);
  CHECK(hasStarted(powerOff()));
  CHECK(obstacle().empty());
}

TEST_CASE("power goes on and off, and the events say so") {
  World world;
  world.given(State::active);
  CHECK(isDone(world.untilDone([](Provisioner& p) { return p.powerOn({}); })));
  CHECK(world.ironic.machineOn("ns~h"));
  CHECK(world.pass([](Provisioner& p) { return p.poweredOn(); }) == std::optional(true));
  CHECK(isDone(world.untilDone([](Provisioner& p) { return p.powerOff({.mode = RebootMode::soft}, "metadata"); })));
  CHECK_FALSE(world.ironic.machineOn("ns~h"));
  CHECK(world.events == std::vector<std::string>{"PowerOn: Host powered on", "PowerOff: Host soft powered off"});
}

TEST_CASE("a soft power-off that the driver lacks becomes a hard one in the same call") {
  World world;
  world.given(State::active);
  world.ironic.record("ns~h")["power_state"] = "power on";
  world.ironic.failNext("PUT", "/states/power", {.status = 400, .text = "soft power off is not supported"});
  static_cast<void>(world.pass([](Provisioner& p) { return p.powerOff({.mode = RebootMode::soft}, "metadata"); }));
  CHECK(json::textAt(world.ironic.journal().back().body, {"target"}) == "power off");
}

TEST_CASE("a power failure is shown, then tried again with force") {
  World world;
  world.given(State::active);
  world.ironic.breakPower("ns~h", "no mains");
  const auto failed = world.untilDone([](Provisioner& p) { return p.powerOn({}); });
  CHECK_THAT(refusalOf(failed), Catch::StartsWith("PowerOn operation failed: ") && Catch::EndsWith("no mains"));
  world.ironic.breakPower("ns~h", "");
  CHECK(isDone(world.untilDone([](Provisioner& p) { return p.powerOn({.force = true}); })));
  CHECK(world.ironic.machineOn("ns~h"));
}

TEST_CASE("Ironic's memory of the power follows a change that somebody else made") {
  World world;
  world.given(State::active);
  world.ironic.record("ns~h")["power_state"] = "power on";
  const auto recorded = [&](bool proved) {
    return world.loop.run(world.factory.recordPower(world.host, false, [proved] { return proved; }));
  };
  CHECK_FALSE(recorded(false));
  CHECK(world.ironic.journal().empty());  // not so any more: Ironic would switch the machine
  CHECK_FALSE(recorded(true));
  world.loop.clock.advance(std::chrono::seconds(10));
  CHECK(recorded(true));
  CHECK(world.nodeText("power_state") == "power off");
}

TEST_CASE("power that is not wanted so any more is not asked for, although the node took its time to be read") {
  struct TakenBack {};
  World world;
  world.given(State::active);
  world.ironic.record("ns~h")["power_state"] = "power on";
  bool stands = false;
  world.host.confirmWish = [&] {
    if (!stands) throw TakenBack();
  };
  const auto off = [&] { return world.pass([](Provisioner& p) { return p.powerOff({}, "disabled"); }); };
  CHECK_THROWS_AS(off(), TakenBack);
  CHECK(world.ironic.journal().empty());
  stands = true;
  CHECK(hasStarted(off()));
}
