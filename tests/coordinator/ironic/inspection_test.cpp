// An inspection by another interface than the one before: the earlier result must not be taken for the new one.
#include "tests/coordinator/ironic/operations.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::State;

namespace {

// The node holds the result of an inspection in band; the next inspection is out of band.
void inspectedBefore(World& world) {
  world.given(State::manageable);
  world.ironic.setInventory("ns~h", {{"hostname", "found in band"}});
}

auto pass(World& world) {
  return world.pass([](Provisioner& p) { return p.inspectHardware(outOfBand()); });
}

}  // namespace

TEST_CASE("a new interface that did not get to inspect has found nothing") {
  World world;
  inspectedBefore(world);
  SECTION("Ironic was busy") { world.ironic.failNext("PUT", "/states/provision", {.status = 409}); }
  SECTION("the request was lost, and the process with it") {
    world.ironic.failNext("PUT", "/states/provision", {.kind = FakeFault::Kind::refused});
  }
  SECTION("for long") { world.ironic.failNext("PUT", "/states/provision", {.status = 409}, 5); }
  try {
    REQUIRE(isWorking(pass(world)));
  } catch (const ProvisionerError&) {
  }
  REQUIRE(world.nodeText("inspect_interface") == "redfish");
  REQUIRE(world.ironic.verbs().empty());

  world.loop.clock.advance(std::chrono::minutes(2));
  CHECK(isDone(world.untilDone([](Provisioner& p) { return p.inspectHardware(outOfBand()); })));
  CHECK(world.ironic.verbs() == std::vector<std::string>{"inspect"});
}

TEST_CASE("what the new interface has found is read, however often it is asked for") {
  World world;
  inspectedBefore(world);
  for (int time = 0; time < 2; ++time) {
    CHECK(isDone(world.untilDone([](Provisioner& p) { return p.inspectHardware(outOfBand()); })));
    world.loop.clock.advance(std::chrono::minutes(2));
  }
  CHECK(world.ironic.verbs() == std::vector<std::string>{"inspect"});
}
