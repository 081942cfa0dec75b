#include "tests/ironic-client/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::Error;
using ironic::State;

TEST_CASE("the client agrees with the server on a version and proves a living conductor") {
  IronicWorld world;
  CHECK(world.loop.run(world.client.probe()).microversion() == "1.110");
}

TEST_CASE("a server that is too old, empty or away is no server") {
  CHECK(codeOf([] {
          IronicWorld w({.maxMinor = 88});
          w.loop.run(w.client.probe());
        }) == Error::Code::tooOld);
  CHECK(codeOf([] {
          IronicWorld w({.noDrivers = true});
          w.loop.run(w.client.probe());
        }) == Error::Code::noDrivers);
  CHECK(codeOf([] {
          IronicWorld w;
          w.net.remove("http://ironic:6385");
          w.loop.run(w.client.probe());
        }) == Error::Code::unavailable);
}

TEST_CASE("version discovery needs no password, the rest does") {
  IronicWorld world({.username = "u", .password = "p"});
  CHECK(codeOf([&] { world.loop.run(world.client.probe()); }) == Error::Code::unauthorized);

  auto settings = IronicWorld::settings();
  settings.username = "u";
  settings.password = base::Secret("p");
  ironic::Client client(world.loop.runtime, world.net, settings);
  CHECK_NOTHROW(world.loop.run(client.probe()));
}

TEST_CASE("nodes are made, found by name or UUID, changed and deleted") {
  IronicWorld world;
  world.loop.run(world.client.probe());
  const auto made = world.loop.run(world.client.createNode({{"name", "ns~h"}, {"driver", "redfish"}}));
  CHECK(made.state() == State::enroll);

  const auto found = world.loop.run(world.client.findNode("ns~h"));
  REQUIRE(found);
  CHECK(found->uuid == made.uuid);
  CHECK_FALSE(world.loop.run(world.client.findNode("other")));

  ironic::NodePatch patch(*found);
  patch.setText("properties", "cpu_arch", "x86_64");
  const auto changed = world.loop.run(world.client.updateNode(made.uuid, patch));
  CHECK(json::textAt(changed.properties, {"cpu_arch"}) == "x86_64");

  world.loop.run(world.client.deleteNode(made.uuid));
  CHECK_FALSE(world.ironic.has("ns~h"));
}

TEST_CASE("a list goes on where a page ends") {
  IronicWorld world({.pageSize = 2});
  for (int i = 0; i < 5; ++i) world.ironic.add({{"name", fmt::format("n{}", i)}});
  CHECK(world.loop.run(world.client.listNodes({"uuid", "name"})).size() == 5);
}

TEST_CASE("a locked node is told from a conflict") {
  IronicWorld world;
  const std::string uuid = world.ironic.add({{"name", "n"}, {"provision_state", "manageable"}});
  world.ironic.lock("n");
  CHECK(codeOf([&] { world.loop.run(world.client.changeState(uuid, {.verb = ironic::Verb::provide})); }) ==
        Error::Code::nodeLocked);
  CHECK(codeOf([&] { world.loop.run(world.client.createNode({{"name", "n"}})); }) == Error::Code::conflict);
}

TEST_CASE("a read is repeated when its connection breaks, a change is not") {
  IronicWorld world;
  const std::string uuid = world.ironic.add({{"name", "n"}, {"provision_state", "manageable"}});
  world.ironic.failNext("GET", "/nodes/", {.kind = FakeFault::Kind::refused}, 2);
  CHECK(world.loop.run(world.client.findNode("n")));

  world.ironic.failNext("PUT", "/states/provision", {.kind = FakeFault::Kind::lostAnswer});
  CHECK(codeOf([&] { world.loop.run(world.client.changeState(uuid, {.verb = ironic::Verb::provide})); }) ==
        Error::Code::interrupted);
  CHECK(world.ironic.journal().size() == 1);
  CHECK(world.ironic.state("n") == State::cleaning);
}

TEST_CASE("a node whose creation was answered into the void is found by its name") {
  IronicWorld world;
  world.ironic.failNext("POST", "/nodes", {.kind = FakeFault::Kind::lostAnswer});
  const auto node = world.loop.run(world.client.createNode({{"name", "ns~h"}}));
  CHECK(node.name == "ns~h");
  CHECK(world.ironic.nodeCount() == 1);
}

TEST_CASE("a creation that never arrived is sent again") {
  IronicWorld world;
  world.ironic.failNext("POST", "/nodes", {.kind = FakeFault::Kind::refused});
  CHECK(world.loop.run(world.client.createNode({{"name", "ns~h"}})).name == "ns~h");
  CHECK(world.ironic.nodeCount() == 1);
}

TEST_CASE("a port whose creation was answered into the void is found by its address") {
  IronicWorld world;
  const std::string uuid = world.ironic.add({{"name", "n"}});
  world.ironic.failNext("POST", "/ports", {.kind = FakeFault::Kind::lostAnswer});
  const auto port = world.loop.run(world.client.createPort({.nodeUuid = uuid, .address = "02:00:00:00:00:01"}));
  CHECK_FALSE(port.uuid.empty());
  CHECK(world.ironic.ports().size() == 1);
}

TEST_CASE("a server that hangs is given up after the timeout") {
  IronicWorld world;
  world.ironic.failNext("GET", "/nodes/", {.kind = FakeFault::Kind::hang}, 9);
  const auto before = world.loop.clock.now();
  CHECK(codeOf([&] { static_cast<void>(world.loop.run(world.client.findNode("n"))); }) == Error::Code::unavailable);
  CHECK(world.loop.clock.now() - before <= std::chrono::seconds(31));
}

TEST_CASE("an error says what was asked and what Ironic said") {
  IronicWorld world;
  world.ironic.failNext("GET", "/inventory", {.status = 500, .text = "disk full"});
  world.ironic.add({{"uuid", "u1"}});
  try {
    static_cast<void>(world.loop.run(world.client.inventory("u1")));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(
        std::string(error.what()) ==
        "Expected HTTP response code [200] when accessing [GET http://ironic:6385/v1/nodes/u1/inventory], but got 500 "
        "instead: disk full");
  }
}
