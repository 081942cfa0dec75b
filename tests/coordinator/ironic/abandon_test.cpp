// A node that cannot be removed is to do nothing more to its machine.
#include "tests/coordinator/ironic/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::State;

namespace {

std::string abandoned(World& world) {
  return world.pass([](Provisioner& p) { return p.abandon("its host is gone"); });
}

void checkKeptOff(World& world) {
  const json::Object& node = world.ironic.record("ns~h");
  CHECK(json::boolAt(node, {"maintenance"}) == true);
  CHECK(json::textAt(node, {"maintenance_reason"}) == "its host is gone");
  CHECK(json::textAt(node, {"fault"}).empty());
}

}  // namespace

TEST_CASE("a node that is given up is put into maintenance, once") {
  World world;
  world.given(State::active);
  world.ironic.clearJournal();
  CHECK(abandoned(world).empty());
  checkKeptOff(world);
  CHECK(world.ironic.journal().size() == 1);
  world.loop.clock.advance(std::chrono::minutes(2));
  CHECK(abandoned(world).empty());
  CHECK(world.ironic.journal().size() == 1);
}

namespace {

// A node that Ironic has put into maintenance itself.
void givenFaulty(World& world) {
  world.given(State::active);
  world.ironic.record("ns~h")["maintenance"] = true;
  world.ironic.record("ns~h")["fault"] = "power failure";
  world.ironic.clearJournal();
}

std::vector<std::string> methods(const World& world) {
  std::vector<std::string> out;
  for (const auto& request : world.ironic.journal()) out.push_back(request.method);
  return out;
}

}  // namespace

TEST_CASE("the maintenance of a node whose BMC Ironic has lost does not end with the BMC's return") {
  World world;
  givenFaulty(world);
  SECTION("at once") {
    CHECK(abandoned(world).empty());
    CHECK(methods(world) == std::vector<std::string>{"PUT", "DELETE", "PUT"});
  }
  SECTION("also where the answer to its end is lost") {
    world.ironic.failNext("DELETE", "/maintenance", {.kind = FakeFault::Kind::lostAnswer}, 4);
    static_cast<void>(abandoned(world));
  }
  checkKeptOff(world);
}

TEST_CASE("the maintenance that Ironic has set for a fault is not ended where ours is not taken") {
  World world;
  givenFaulty(world);
  SECTION("a refusal") {
    world.ironic.failNext("PUT", "/maintenance", {.status = 403, .text = "not allowed"}, 10);
    CHECK_THAT(abandoned(world), Catch::Contains("not allowed"));
  }
  SECTION("a lock") {
    world.ironic.lock("ns~h");
    CHECK(abandoned(world) == "Ironic is busy with the node");
  }
  const json::Object& node = world.ironic.record("ns~h");
  CHECK(json::boolAt(node, {"maintenance"}) == true);
  CHECK(json::textAt(node, {"fault"}) == "power failure");
}

TEST_CASE("what keeps a node out of maintenance is said, and nothing is tried twice") {
  World world;
  world.given(State::active);
  SECTION("a lock") {
    world.ironic.lock("ns~h");
    CHECK(abandoned(world) == "Ironic is busy with the node");
  }
  SECTION("a refusal") {
    world.ironic.failNext("PUT", "/maintenance", {.status = 403, .text = "not allowed"});
    CHECK_THAT(abandoned(world), Catch::Contains("not allowed"));
  }
  CHECK(json::boolAt(world.ironic.record("ns~h"), {"maintenance"}) == false);
}

TEST_CASE("a node that is another host's, or is not there, is not put into maintenance") {
  World world;
  world.given(State::active);
  world.ironic.clearJournal();
  SECTION("another host's") {
    world.ironic.record("ns~h")["name"] = "ns~other";
    CHECK_THAT(abandoned(world), Catch::Contains("belongs to host ns/other"));
  }
  SECTION("not there") {
    world.host.provisionerId = "77777777-2222-4333-8444-555555555555";
    CHECK(abandoned(world) == "Ironic has no such node");
  }
  CHECK(world.ironic.journal().empty());
}
