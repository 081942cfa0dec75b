// Requests that Ironic refuses with 409 for longer than a moment.
#include "coordinator/host/ironic/refusals.hpp"

#include "tests/coordinator/ironic/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using coordinator::host::Working;
using ironic::State;

namespace {

// The obstacle that is reported after passes for this long; "" also when the operation has ended.
template <class Operation>
std::string obstacleAfter(World& world, base::Duration time, Operation operation) {
  const auto end = world.loop.clock.now() + time;
  while (true) {
    const auto answer = world.pass(operation);
    const Working* work = workOf(answer);
    if (work == nullptr || world.loop.clock.now() >= end) return work == nullptr ? "" : work->obstacle;
    world.loop.clock.advance(std::max<base::Duration>(work->after, 1ms));
  }
}

const auto undeploy = [](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); };
const auto removal = [](Provisioner& p) { return p.remove(); };
const auto endOfWork = [](Provisioner& p) { return p.endWork("metadata"); };

}  // namespace

TEST_CASE("refusals last from the first one on, until a request is taken or nobody asks any more") {
  const base::MonoTime start{};
  backend::Refusals refusals;
  refusals.refused("a", "locked", start);
  CHECK(refusals.why("a") == "locked");
  CHECK(refusals.lasting("a", start + 59s).empty());
  refusals.refused("a", "still locked", start + 40s);
  CHECK(refusals.lasting("a", start + 60s) == "still locked");
  CHECK(refusals.lasting("b", start + 60s).empty());
  refusals.refused("a", "again", start + 101s);  // after a pause of more than a minute
  CHECK(refusals.lasting("a", start + 102s).empty());
  refusals.over("a");
  CHECK(refusals.why("a").empty());
}

TEST_CASE("an obstacle is named with what an operator can do") {
  ironic::Node node;
  node.uuid = "u";
  CHECK(backend::obstacleOf(node, "").empty());
  CHECK(backend::obstacleOf(node, "not now") ==
        "Ironic refuses each request for node u (not now); if that does not end, restart its conductor");
  node.reservation = "c-1";
  CHECK(backend::obstacleOf(node, "not now") ==
        "node u is locked by Ironic's conductor c-1; if that one has crashed, restart it: it frees its locks when it "
        "starts");
}

TEST_CASE("a lock that lasts is told, whatever waits for it, and no longer than it lasts") {
  World world;
  const auto toldOf = [&](State state, const auto& operation) {
    world.given(state);
    world.ironic.lock("ns~h");
    CHECK(obstacleAfter(world, 50s, operation).empty());
    CHECK_THAT(obstacleAfter(world, 20s, operation), Catch::Contains("is locked by Ironic's conductor other"));
    world.ironic.lock("ns~h", false);
    CHECK(obstacleAfter(world, 0s, operation).empty());
  };
  SECTION("an undeploy") { toldOf(State::active, undeploy); }
  SECTION("one that waits for its cleaning mode to be recorded") {
    toldOf(State::deployFailed, [](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "disabled"}); });
  }
  SECTION("a removal") { toldOf(State::available, removal); }
  SECTION("one by way of maintenance") { toldOf(State::active, removal); }
  SECTION("the end of an inspection before the last power-off") { toldOf(State::inspectWait, endOfWork); }
  SECTION("a deployment") {
    toldOf(State::manageable, [](Provisioner& p) { return p.provision(diskImage()); });
  }
}

TEST_CASE("409 without end is told with Ironic's words") {
  World world;
  world.given(State::active);
  world.ironic.failNext("PUT", "/states/provision", {.status = 409, .text = "the node does not like it"}, 1000);
  CHECK(obstacleAfter(world, 50s, undeploy).empty());
  CHECK_THAT(obstacleAfter(world, 20s, undeploy),
             Catch::Contains("Ironic refuses each request for node") && Catch::Contains("the node does not like it"));
}

TEST_CASE("a fault that only a person ends is told after a minute, with what to do") {
  World world;
  world.given(State::active, "no disk");
  world.ironic.record("ns~h")["maintenance"] = true;
  world.ironic.record("ns~h")["fault"] = "rescue abort failure";
  CHECK(obstacleAfter(world, 50s, undeploy).empty());
  CHECK_THAT(obstacleAfter(world, 20s, undeploy),
             Catch::Contains("Ironic keeps node") &&
                 Catch::Contains("in maintenance (rescue abort failure): no disk; remove the cause, then end the "
                                 "maintenance: baremetal node maintenance unset"));
}

TEST_CASE("a deployment that waits for a lost BMC says so") {
  World world;
  world.given(State::manageable, "no route to host");
  world.ironic.record("ns~h")["maintenance"] = true;
  world.ironic.record("ns~h")["fault"] = "power failure";
  const auto provide = [](Provisioner& p) { return p.provision(diskImage()); };
  CHECK(obstacleAfter(world, 50s, provide).empty());
  CHECK_THAT(obstacleAfter(world, 20s, provide), Catch::Contains("Ironic has lost the BMC of node"));
}

TEST_CASE("a failed deployment that its conductor never gives a reason for is told of") {
  World world;
  world.given(State::available);
  static_cast<void>(world.pass([](Provisioner& p) { return p.provision(diskImage()); }));
  world.ironic.put("ns~h", State::deployFailed);
  world.ironic.record("ns~h")["reservation"] = "c-1";
  const auto provide = [](Provisioner& p) { return p.provision(diskImage()); };
  CHECK(obstacleAfter(world, 50s, provide).empty());
  CHECK_THAT(obstacleAfter(world, 20s, provide), Catch::Contains("is locked by Ironic's conductor c-1"));
}

TEST_CASE("an inspection of which nothing is heard for minutes is told of, a cleaning is not") {
  World world;
  const auto waits = GENERATE(true, false) ? +[](Provisioner& p) { return p.endWork("metadata"); }
                                           : +[](Provisioner& p) { return p.remove(); };
  world.given(State::inspecting);
  world.ironic.record("ns~h")["reservation"] = "c-1";
  CHECK(obstacleAfter(world, 4min, waits).empty());
  CHECK_THAT(
      obstacleAfter(world, 2min, waits),
      Catch::Contains("has been in state \"inspecting\" for more than 5 min without a sign of progress; Ironic's "
                      "conductor c-1 holds it"));
  world.ironic.put("ns~h", GENERATE(State::cleaning, State::deleting));
  world.ironic.record("ns~h")["reservation"] = "c-1";
  CHECK(obstacleAfter(world, 50min, waits).empty());
}

TEST_CASE("work that shows no progress for an hour is told of, and waited for all the same") {
  World world;
  world.given(State::active);
  static_cast<void>(world.pass(undeploy));
  world.ironic.put("ns~h", State::cleanWait);
  world.ironic.stallRamdisk("ns~h");
  const auto stalled = [&](base::Duration time) {
    std::string stall;
    for (const auto end = world.loop.clock.now() + time; world.loop.clock.now() < end; world.loop.clock.advance(1min)) {
      const auto answer = world.pass(undeploy);
      const Working* work = workOf(answer);
      REQUIRE(work);
      CHECK(work->obstacle.empty());
      stall = work->stall;
    }
    return stall;
  };
  CHECK(stalled(50min).empty());
  CHECK_THAT(stalled(20min), Catch::Contains("has been in state \"clean wait\" for more than 1 h") &&
                                 Catch::Contains("see whether one runs"));
  world.ironic.record("ns~h")["provision_updated_at"] = "2030-01-01T00:00:00+00:00";  // its ramdisk is heard of
  CHECK(stalled(50min).empty());
}

TEST_CASE("an Ironic that cleans no more nodes at once is told from one that refuses") {
  for (const auto& [status, code] :
       {std::pair{503, ProvisionerError::Code::overloaded}, {500, ProvisionerError::Code::transient}}) {
    World world;
    world.given(State::active);
    world.ironic.failNext("PUT", "/states/provision", {.status = status});
    try {
      static_cast<void>(world.pass(undeploy));
      FAIL("nothing was refused");
    } catch (const ProvisionerError& error) {
      CHECK(error.code() == code);
    }
  }
}
