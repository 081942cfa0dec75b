// Adoption against the double: what counts as an attempt, and what only waits for one.
#include "tests/coordinator/ironic/operations.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::State;
using ironic::Verb;

namespace {

Progress adopted(World& world, bool restart) {
  return world.pass(
      [=](Provisioner& p) { return p.adopt({.state = HostState::provisioned, .restartOnFailure = restart}); });
}

}  // namespace

TEST_CASE("an adoption that Ironic has taken has started, and its failure is one of its own") {
  World world;
  world.given(State::adoptFailed, "the BMC is silent");
  CHECK(refusalOf(adopted(world, false)) == "Host adoption failed: the BMC is silent");
  world.ironic.breakNext("ns~h", Verb::adopt, "it still is");
  CHECK(hasStarted(adopted(world, true)));
  const Progress ended = world.untilDone([](Provisioner& p) { return p.adopt({.state = HostState::provisioned}); });
  CHECK(refusalOf(ended) == "Host adoption failed: it still is");
  CHECK(world.ironic.verbs() == std::vector<std::string>{"adopt"});
}

TEST_CASE("an adoption that Ironic does not take yet has not started") {
  World world;
  world.given(State::adoptFailed, "the BMC is silent");
  SECTION("another task holds the node") { world.ironic.lock("ns~h"); }
  SECTION("the node is in maintenance") { world.ironic.record("ns~h")["maintenance"] = true; }
  SECTION("Ironic has lost the BMC") {
    world.ironic.record("ns~h")["maintenance"] = true;
    world.ironic.record("ns~h")["fault"] = "power failure";
  }
  const Progress progress = adopted(world, true);
  CHECK(isWorking(progress));
  CHECK_FALSE(hasStarted(progress));
  CHECK(world.ironic.verbs().empty());
}
