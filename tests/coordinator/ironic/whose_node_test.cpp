// Which node is a host's own, and which machine is behind it: what is done to the wrong one cannot be taken back.
#include "tests/coordinator/ironic/operations.hpp"

#include "coordinator/host/ironic/access.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::State;

namespace {

std::string addNode(World& world, json::Value name, const std::string& mac) {
  const std::string id =
      world.ironic.add({{"name", std::move(name)}, {"provision_state", "manageable"}, {"driver", "redfish"}});
  ironic::Client client(world.loop.runtime, world.net, World::endpoint());
  if (!mac.empty()) static_cast<void>(world.loop.run(client.createPort({.nodeUuid = id, .address = mac})));
  return id;
}

constexpr auto addressIsFixed =
    "BMC address can not be changed if the BMH is not in the Registering state, or if the BMH is not detached";

}  // namespace

TEST_CASE("a node that was made before its ID could be saved goes with its host") {
  for (const char* id : {"", "77777777-2222-4333-8444-555555555555"}) {
    World world;
    static_cast<void>(world.registered());
    world.host.provisionerId = id;
    world.host.mayBeUnsaved = true;
    CHECK(isDone(removed(world)));
    CHECK(world.ironic.nodeCount() == 0);
  }
}

TEST_CASE("while Ironic cannot say whether there is such a node, the host is not gone") {
  for (const int status : {409, 500}) {
    World world;
    static_cast<void>(world.registered());
    world.host.provisionerId.clear();
    world.host.mayBeUnsaved = true;
    world.ironic.failNext("GET", "/nodes/ns~h", {.status = status});
    CHECK_THROWS_AS(world.pass([](Provisioner& p) { return p.remove(); }), ProvisionerError);
    CHECK(isDone(removed(world)));
    CHECK(world.ironic.nodeCount() == 0);
  }
}

TEST_CASE("a node of the host's name that cannot be its own stays") {
  World world;
  static_cast<void>(world.registered());
  world.host.provisionerId.clear();
  CHECK(isDone(removed(world)));  // never registered, or forgotten by Ironic before
  CHECK(world.ironic.nodeCount() == 1);

  world.host.mayBeUnsaved = true;
  world.ironic.record("ns~h")["instance_uuid"] = "99999999-2222-4333-8444-555555555555";
  CHECK(isDone(removed(world)));
  CHECK(world.ironic.nodeCount() == 1);
}

TEST_CASE("a changed BMC address does not turn a live node into another machine") {
  for (const char* address : {"redfish://10.0.0.2/redfish/v1/Systems/1", "redfish://10.0.0.1/redfish/v1/Systems/2",
                              "redfish://10.0.0.1:8443/redfish/v1/Systems/1", "ipmi://10.0.0.1"}) {
    for (const State state : {State::active, State::available, State::manageable, State::cleaning}) {
      CAPTURE(address, static_cast<int>(state));
      World world;
      world.given(state);
      world.ironic.clearJournal();
      world.registerData.state = HostState::provisioned;
      world.host.bmcAddress = address;
      CHECK(refusalOf(world.registerOnce(true)) == addressIsFixed);
      CHECK(world.ironic.journal().empty());
    }
  }
}

TEST_CASE("a BMC address may change while the host registers, and when a detached one comes back") {
  World world;
  static_cast<void>(world.registered());
  world.host.bmcAddress = "redfish://10.0.0.2/redfish/v1/Systems/1";
  CHECK(isDone(world.registered()));
  CHECK(json::textAt(world.ironic.record("ns~h"), {"driver_info", "redfish_address"}) == "https://10.0.0.2");

  CHECK(isDone(removed(world)));  // detached
  world.host.bmcAddress = "redfish://10.0.0.3/redfish/v1/Systems/1";
  world.registerData.state = HostState::provisioned;
  CHECK(isDone(world.registered()));
  CHECK(json::textAt(world.ironic.record("ns~h"), {"driver_info", "redfish_address"}) == "https://10.0.0.3");
}

TEST_CASE("what names a machine in a node's record", "[pure]") {
  const json::Object ipmi{{"ipmi_address", "10.0.0.1"}, {"ipmi_port", "623"}, {"ipmi_username", "admin"}};
  json::Object now = ipmi;
  CHECK_FALSE(backend::leadsElsewhere(ipmi, now));
  now["ipmi_username"] = "other";
  now["ipmi_port"] = 623;
  CHECK_FALSE(backend::leadsElsewhere(ipmi, now));
  now["ipmi_port"] = "6230";
  CHECK(backend::leadsElsewhere(ipmi, now));
  CHECK_FALSE(backend::leadsElsewhere(ipmi, {}));  // it was never told
}

TEST_CASE("another host's node is not taken over, however it was found") {
  World world;
  const auto refused = [&] {
    world.ironic.clearJournal();
    const std::string why = refusalOf(world.registerOnce());
    CHECK(world.ironic.journal().empty());
    CHECK(world.ironic.nodeCount() == 1);
    return why;
  };
  SECTION("under the name that earlier versions gave") {
    addNode(world, "h", "02:00:00:00:00:0b");
    CHECK_THAT(refused(), Catch::Contains("nor a port with the boot MAC address of host ns/h"));
  }
  SECTION("nameless, by the MAC address: that another status names it comes first") {
    const std::string id = addNode(world, nullptr, "02:00:00:00:00:0a");
    world.host.rivals = [](const std::string&) {
      return std::vector<coordinator::host::NodeRival>{{"ns", "other", "02:00:00:00:00:0a", true}};
    };
    CHECK_THAT(refused(), Catch::StartsWith("node " + id + " is claimed by host ns/other"));
  }
  SECTION("by an ID that came with a copied status") {
    world.host.provisionerId = addNode(world, "ns~other", "");
    CHECK(refused() == fmt::format("node {} belongs to host ns/other, not to ns/h", world.host.provisionerId));
    CHECK(isDone(removed(world)));
    CHECK(world.ironic.nodeCount() == 1);
  }
  SECTION("by the MAC address that a host of another namespace has, too") {
    addNode(world, "tenant~other", "02:00:00:00:00:0a");
    CHECK(refused() == "MAC address 02:00:00:00:00:0A conflicts with existing node of another host");
  }
}

TEST_CASE("a host whose machine another one is to have first gets no node") {
  World world;
  world.host.reserveMachine = [] { return std::string("host ns/first comes first"); };
  const auto refused = [&] { return refusalOf(world.registerOnce()) == "host ns/first comes first"; };
  SECTION("none is made") {
    world.host.provisionerId = GENERATE("", "77777777-2222-4333-8444-555555555555");  // lost with Ironic's database
    const std::string before = world.host.provisionerId;
    CHECK(refused());
    CHECK(world.ironic.nodeCount() == 0);
    CHECK(world.host.provisionerId == before);
    world.host.reserveMachine = nullptr;
    CHECK(isDone(world.registered()));
  }
  SECTION("nor is one without a name taken, by the MAC address alone") {
    addNode(world, nullptr, "02:00:00:00:00:0a");
    CHECK(refused());
    CHECK(world.host.provisionerId.empty());
    CHECK(world.ironic.journal().size() == 1);  // the port of this test
  }
  SECTION("one that is its own it keeps") {
    const json::Value name = GENERATE(json::Value("ns~h"), json::Value("h"), json::Value());
    const std::string id = addNode(world, name, "02:00:00:00:00:0a");
    if (name.is_null()) world.host.provisionerId = id;
    CHECK(isDone(world.registered()));
    CHECK(world.host.provisionerId == id);
    CHECK(world.ironic.nodeCount() == 1);
  }
}

TEST_CASE("a look-up that Ironic does not answer makes no second node") {
  for (const int status : {409, 500}) {
    for (const auto& [name, lookUp] : std::vector<std::pair<json::Value, std::string>>{
             {"ns~h", "/nodes/ns~h"}, {"h", "/nodes/h"}, {nullptr, "/ports"}, {nullptr, "/nodes/"}}) {
      CAPTURE(status, lookUp);
      World world;
      const std::string id = addNode(world, name, "02:00:00:00:00:0a");
      world.ironic.failNext("GET", lookUp, {.status = status});
      CHECK_THROWS_AS(world.registerOnce(), ProvisionerError);
      CHECK(world.ironic.nodeCount() == 1);
      CHECK(isDone(world.registered()));
      CHECK(world.host.provisionerId == id);
      CHECK(world.ironic.nodeCount() == 1);
    }
  }
}
