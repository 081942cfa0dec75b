// A rotated password must get into Ironic's record, whatever Ironic is at when it is rotated (spec/ironic.md §3.5).
#include "tests/coordinator/ironic/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::State;

namespace {

std::string passwordOnRecord(World& world) {
  return json::textAt(world.ironic.record("ns~h"), {"driver_info", "redfish_password"});
}

// Rotates the password as the host controller does: it passes the new one until the backend reports that it has taken
// it.
void rotate(World& world) {
  world.registerData.state = HostState::provisioned;
  world.host.credentials.password = base::Secret("new");
  const auto limit = world.loop.clock.now() + std::chrono::hours(1);
  bool told = false;
  while (!told && world.loop.clock.now() < limit) {
    try {
      const auto out = world.registerOnce(true);
      told = out.credentialsTold;
      if (told) CHECK(passwordOnRecord(world) == "new");
    } catch (const ProvisionerError&) {
    }
    world.loop.clock.advance(std::chrono::seconds(3));
  }
  CHECK(passwordOnRecord(world) == "new");
}

}  // namespace

TEST_CASE("a rotated password gets into the record although a request fails") {
  for (const auto kind : {FakeFault::Kind::status, FakeFault::Kind::refused, FakeFault::Kind::lostAnswer}) {
    for (const int status : {409, 500}) {
      CAPTURE(static_cast<int>(kind), status);
      World world;
      world.given(State::active);
      world.ironic.failNext("PATCH", "/nodes/", {.kind = kind, .status = status}, 2);
      rotate(world);
    }
  }
}

TEST_CASE("a rotated password gets into the record although the ports are busy") {
  World world;
  world.given(State::active);
  world.ironic.failNext("POST", "/ports", {.status = 409}, 3);
  rotate(world);
}

TEST_CASE("a rotated password is not called told while the MAC address is another node's") {
  World world;
  const std::string other = world.ironic.add({{"name", "other"}, {"provision_state", "manageable"}});
  ironic::Client client(world.loop.runtime, world.net, World::endpoint());
  static_cast<void>(world.loop.run(client.createPort({.nodeUuid = other, .address = "02:00:00:00:00:0a"})));
  const auto refused = world.registerOnce(true);
  CHECK_FALSE(refusalOf(refused).empty());
  CHECK_FALSE(refused.credentialsTold);
  world.ironic.record(other)["name"] = nullptr;  // it is ours after all
  CHECK(world.registerOnce(true).credentialsTold);
  CHECK(passwordOnRecord(world) == "secret");
}

TEST_CASE("a password that is rotated while Ironic is at work is told when that has ended") {
  using Start = std::function<void(World&)>;
  const auto starts = std::to_array<std::pair<State, Start>>(
      {{State::available,
        [](World& world) { static_cast<void>(world.pass([](Provisioner& p) { return p.provision(diskImage()); })); }},
       {State::active,
        [](World& world) {
          static_cast<void>(
              world.pass([](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); }));
        }},
       {State::manageable,
        [](World& world) {
          static_cast<void>(world.pass([](Provisioner& p) { return p.inspectHardware(inBand({.refresh = true})); }));
        }},
       {State::manageable, [](World& world) {
          static_cast<void>(world.pass([](Provisioner& p) { return p.adopt({.state = HostState::provisioned}); }));
        }}});
  for (const auto& [from, start] : starts) {
    std::set<State> met;
    for (int half = 0; half < 30; ++half) {
      World world;
      world.given(from);
      start(world);
      world.loop.clock.advance(half * std::chrono::milliseconds(500));
      met.insert(world.ironic.state("ns~h"));
      CAPTURE(static_cast<int>(from), half);
      rotate(world);
    }
    CHECK(met.size() > 1);
  }
}

TEST_CASE("an operation under way is not kept from going on by a password that cannot be told now") {
  World world;
  world.given(State::available);
  world.ironic.stallRamdisk("ns~h");
  static_cast<void>(world.pass([](Provisioner& p) { return p.provision(diskImage()); }));
  world.loop.clock.advance(std::chrono::minutes(1));
  REQUIRE(world.ironic.state("ns~h") == State::deployWait);

  world.registerData.state = HostState::provisioning;
  world.host.credentials.password = base::Secret("new");
  const auto out = world.registerOnce(true);
  CHECK(isDone(out));
  CHECK_FALSE(out.credentialsTold);

  world.registerData.state = HostState::registering;  // which must not end with Ironic on the old one
  CHECK(isWorking(world.registerOnce(true)));
  CHECK(passwordOnRecord(world) == "secret");
}
