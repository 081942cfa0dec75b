// A node that a copied status names is somebody else's: nothing is done to it, whatever its host is to become.
#include "coordinator/host/ironic/node_owner.hpp"

#include "tests/coordinator/ironic/operations.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using backend::NodeOwner;
using ironic::State;

namespace {

constexpr auto mac = "02:00:00:00:00:0a";  // as Ironic writes the one of World's host

// Adds a node with this name, and lets the status of World's host ns/h name it.
void named(World& world, json::Value name, State state) {
  world.host.provisionerId = world.ironic.add(
      {{"name", std::move(name)}, {"driver", "redfish"}, {"power_state", "power on"}, {"automated_clean", true}});
  world.ironic.put(world.host.provisionerId, state, state == State::active ? "" : "a failure");
}

// Sets the other hosts whose status names the node too.
void claimed(World& world, std::vector<coordinator::host::NodeRival> rivals) {
  world.host.rivals = [rivals = std::move(rivals)](const std::string&) { return rivals; };
}

void addPort(World& world, const std::string& address) {
  ironic::Client client(world.loop.runtime, world.net, World::endpoint());
  static_cast<void>(world.loop.run(client.createPort({.nodeUuid = world.host.provisionerId, .address = address})));
  world.ironic.clearJournal();
}

using Code = ProvisionerError::Code;

template <class Operation>
std::string refusedAs(World& world, Operation operation, Code code = Code::foreignNode) {
  try {
    static_cast<void>(world.pass(operation));
  } catch (const ProvisionerError& error) {
    if (error.code() == code) return error.what();
    throw;
  }
  return "not refused";
}

// The errors of all operations that need the node.
std::vector<std::string> answers(World& world, Code code = Code::foreignNode) {
  const auto refused = [&](auto operation) { return refusedAs(world, operation, code); };
  return {refused([](Provisioner& p) { return p.adopt({.state = HostState::provisioned}); }),
          refused([](Provisioner& p) { return p.inspectHardware(inBand({.restartOnFailure = true})); }),
          refused([](Provisioner& p) { return p.prepare({.unprepared = true, .restartOnFailure = true}); }),
          refused([](Provisioner& p) { return p.provision(diskImage()); }),
          refused([](Provisioner& p) { return p.deprovision({.restartOnFailure = true}); }),
          refused([](Provisioner& p) { return p.endWork("disabled"); }),
          refused([](Provisioner& p) { return p.powerOn({.force = true}); }),
          refused([](Provisioner& p) { return p.powerOff({.force = true}, "disabled"); }),
          refused([](Provisioner& p) { return p.poweredOn(); })};
}

}  // namespace

TEST_CASE("no operation touches a node that bears another host's name") {
  for (const State state : {State::active, State::available, State::manageable, State::deployWait, State::cleanWait,
                            State::inspectWait, State::cleanFailed, State::adoptFailed, State::inspectFailed}) {
    CAPTURE(static_cast<int>(state));
    World world;
    named(world, "ns~other", state);
    const std::string why = fmt::format("node {} belongs to host ns/other, not to ns/h", world.host.provisionerId);
    for (const std::string& answer : answers(world)) CHECK(answer == why);
    CHECK(refusalOf(world.registerOnce(true, true)) == why);
    CHECK(world.ironic.journal().empty());
    CHECK(world.ironic.state("ns~other") == state);
  }
}

TEST_CASE("a node that was renamed by hand is left alone, and its host says so") {
  World world;
  named(world, "by-hand", State::active);
  const std::string why =
      fmt::format("node {} is not named ns~h, and does not belong to host ns/h", world.host.provisionerId);
  for (const std::string& answer : answers(world)) CHECK(answer == why);
  CHECK(world.ironic.journal().empty());
}

TEST_CASE("a host that is removed leaves another host's node alone, and an Event says so") {
  for (const bool hasOwn : {false, true}) {
    World world;
    if (hasOwn) static_cast<void>(world.registered());
    named(world, "other~h", State::active);
    world.ironic.clearJournal();
    world.events.clear();
    world.host.mayBeUnsaved = true;
    CHECK(isDone(removed(world)));
    CHECK(world.events == std::vector<std::string>{fmt::format(
                              "NodeLeftAlone: node {} belongs to another host, not to ns/h; it was left as it is",
                              world.host.provisionerId)});
    CHECK(world.ironic.nodeCount() == 1);
    CHECK(world.ironic.state("other~h") == State::active);
    CHECK(world.ironic.journal().size() == (hasOwn ? 1 : 0));
  }
}

TEST_CASE("a node under the name that earlier versions gave is the host's own if a port proves it") {
  World world;
  named(world, "h", State::active);
  SECTION("its own") {
    addPort(world, mac);
    CHECK(isWorking(world.pass([](Provisioner& p) { return p.powerOff({}, "disabled"); })));
    CHECK(world.ironic.journal().size() == 1);
  }
  SECTION("that of nobody here") {
    for (const std::string& answer : answers(world)) CHECK_THAT(answer, Catch::Contains("is not known"));
    CHECK(isDone(removed(world)));
    CHECK(world.ironic.journal().empty());
  }
}

TEST_CASE("a node without a name is the host's own if a port has the host's boot MAC address") {
  World world;
  named(world, nullptr, State::active);
  SECTION("it has") {
    addPort(world, mac);
    CHECK(isWorking(world.pass([](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); })));
    CHECK(world.ironic.verbs() == std::vector<std::string>{"deleted"});
  }
  SECTION("it has that of another") {
    addPort(world, "02:00:00:00:00:0b");
    for (const std::string& answer : answers(world)) CHECK_THAT(answer, Catch::Contains("is not known"));
    CHECK(isDone(removed(world)));
    CHECK(world.ironic.journal().empty());
  }
  SECTION("nobody knows the host's") {
    addPort(world, mac);
    world.host.bootMacAddress = "";
    for (const std::string& answer : answers(world)) CHECK_THAT(answer, Catch::Contains("is not known"));
    CHECK(world.ironic.journal().empty());
  }
  SECTION("Ironic cannot say: it is asked again") {
    addPort(world, mac);
    world.ironic.failNext("GET", "/ports", {.status = 409});
    CHECK_THROWS_AS(world.pass([](Provisioner& p) { return p.remove(); }), ProvisionerError);
    CHECK(world.ironic.journal().empty());
    CHECK(isDone(removed(world)));
    CHECK(world.ironic.nodeCount() == 0);
  }
}

TEST_CASE("Ironic's memory of the power of another host's node is left alone") {
  for (const char* name : {"ns~other", "h", ""}) {
    World world;
    named(world, *name == '\0' ? json::Value() : json::Value(name), State::active);
    const auto follow = [&] {
      return world.loop.run(world.factory.recordPower(world.host, false, [] { return true; }));
    };
    CHECK_THROWS_AS(follow(), ProvisionerError);
    CHECK(world.ironic.journal().empty());
  }
}

TEST_CASE("another host's node says nothing of this one's health") {
  World world;
  named(world, "ns~other", State::active);
  world.ironic.record("ns~other")["health"] = "Critical";
  world.ironic.record("ns~other")["fault"] = "power failure";
  for (int look = 0; look < 2; ++look) {
    CHECK(world.pass([](Provisioner& p) { return p.health(); }).empty());
    CHECK_FALSE(world.pass([](Provisioner& p) { return p.hasPowerFailure(); }));
  }
}

TEST_CASE("a status that was copied shuts the owner of a node out of nothing") {
  const std::string name = GENERATE(as<std::string>{}, "h", "");
  World world;
  named(world, name.empty() ? json::Value() : json::Value(name), State::active);
  addPort(world, mac);
  SECTION("the copy has another boot MAC address") { claimed(world, {{"there", "copy", "02:00:00:00:00:0b"}}); }
  SECTION("the copy has the same, and came later") { claimed(world, {{"ns", "copy", mac, true}}); }
  SECTION("the copy has none, and came later") { claimed(world, {{"ns", "copy", "", true}}); }
  REQUIRE(world.host.rivals);
  CHECK(isWorking(world.pass([](Provisioner& p) { return p.powerOff({}, "disabled"); })));
  CHECK(world.ironic.journal().size() == 1);
  CHECK(isDone(world.registered()));
  CHECK(world.nodeText("name") == "ns~h");
}

TEST_CASE("a host that came later, or nobody knows when, cannot prove that a node is its own") {
  World world;
  named(world, nullptr, State::active);
  addPort(world, mac);
  const auto [namespace_, rival] =
      GENERATE(std::pair{"there", "another host"}, std::pair{"ns", "host ns/other"});  // whose tenants see each other
  const bool hasMac = GENERATE(true, false);                                           // without one it may be the same
  claimed(world, {{namespace_, "other", hasMac ? "02:00:00:00:00:0A" : ""}});
  const std::string why = fmt::format(
      "node {} is claimed by {} {} boot MAC address, and host ns/h cannot prove that it is its own: name the node "
      "after "
      "the host that it belongs to, or delete the wrong host",
      world.host.provisionerId, rival, hasMac ? "with the same" : "without a");
  for (const std::string& answer : answers(world)) CHECK(answer == why);
  CHECK(refusalOf(world.registerOnce(true, true)) == why);
  CHECK(isDone(removed(world)));
  CHECK(world.ironic.journal().empty());
}

TEST_CASE("of claims in two namespaces none is the better one, whichever host came first") {
  World world;
  named(world, GENERATE(json::Value("h"), json::Value()), State::active);
  addPort(world, mac);
  const auto rivalMac = GENERATE(as<std::string>{}, "02:00:00:00:00:0a", "");
  const bool younger = GENERATE(true, false);  // made anew by a move, or made by a thief
  claimed(world, {{"there", "other", rivalMac, younger}});
  for (const std::string& answer : answers(world)) CHECK_THAT(answer, Catch::Contains("is claimed by another host"));
  CHECK_THAT(refusalOf(world.registerOnce(true, true)), Catch::Contains("or delete the wrong host"));
  CHECK(isDone(removed(world)));
  CHECK(world.ironic.journal().empty());
}

TEST_CASE("whose a node is cannot be told while there is a host that cannot be read") {
  World world;
  named(world, GENERATE(json::Value("h"), json::Value()), State::active);
  addPort(world, mac);
  const auto [namespace_, shown] = GENERATE(std::pair{"ns", "the BareMetalHost ns/other"},
                                            std::pair{"there", "a BareMetalHost of another namespace"});
  claimed(world, {{.namespace_ = namespace_, .name = "other", .unreadable = true}});
  const std::string why = fmt::format(
      "whether node {} belongs to host ns/h is not known while {} cannot be read: correct or delete that one",
      world.host.provisionerId, shown);
  for (const std::string& answer : answers(world, Code::transient)) CHECK(answer == why);
  CHECK_THROWS_WITH(world.registerOnce(true, true), "failed to find existing host: " + why);
  CHECK(refusedAs(world, [](Provisioner& p) { return p.remove(); }, Code::transient) == why);  // it may be its own
  CHECK(world.pass([](Provisioner& p) { return p.abandon("gone"); }) == why);
  CHECK(world.events.empty());
  CHECK(world.ironic.journal().empty());
  claimed(world, {});
  CHECK(isDone(world.registered()));
  claimed(world, {{.namespace_ = namespace_, .name = "other", .unreadable = true}});
  CHECK(isDone(world.registered()));  // its name proves it
}

TEST_CASE("a claim that is as good counts, whatever a host that cannot be read says") {
  World world;
  named(world, nullptr, State::active);
  addPort(world, mac);
  claimed(world, {{"there", "rival", mac}, {.namespace_ = "ns", .name = "other", .unreadable = true}});
  for (const std::string& answer : answers(world)) CHECK_THAT(answer, Catch::Contains("is claimed by another host"));
  CHECK(isDone(removed(world)));
  CHECK(world.ironic.journal().empty());
}

TEST_CASE("what a node's name says of whose it is", "[pure]") {
  coordinator::host::HostData host{.name = "h", .namespace_ = "ns"};
  const auto owner = [&](std::string name) { return backend::ownerOf(host, {.uuid = "u", .name = std::move(name)}); };
  CHECK(owner("ns~h") == NodeOwner::thisHost);
  CHECK(owner("h") == NodeOwner::unproved);
  CHECK(owner("") == NodeOwner::unproved);
  for (const char* name : {"ns~other", "other~h", "other", "ns~h~h", "~h"})
    CHECK(owner(name) == NodeOwner::anotherHost);
  host = {.name = "a~b", .namespace_ = "ns"};
  CHECK(owner("a~b") == NodeOwner::anotherHost);  // host a/b's
}

TEST_CASE("no text for a user names a host of another namespace", "[pure]") {
  coordinator::host::HostData host{.name = "h", .namespace_ = "ns", .bootMacAddress = mac};
  host.rivals = [](const std::string&) {
    return std::vector<coordinator::host::NodeRival>{{"tenant", "secret-host", mac}};
  };
  coordinator::host::HostData unread = host;
  unread.rivals = [](const std::string&) {
    return std::vector<coordinator::host::NodeRival>{
        {.namespace_ = "tenant", .name = "secret-host", .unreadable = true}};
  };
  for (const char* name : {"tenant~secret-host", "secret-host"})
    CHECK_THAT(backend::whyForeign(host, {.uuid = "u", .name = name}),
               !Catch::Contains("tenant") && !Catch::Contains("secret"));
  CHECK_THAT(backend::whyUnproved(host, {.uuid = "u"}, {{.nodeUuid = "u", .address = mac}}).why,
             Catch::Contains("another host") && !Catch::Contains("secret"));
  CHECK_THAT(backend::whyUnproved(unread, {.uuid = "u"}, {{.nodeUuid = "u", .address = mac}}).why,
             Catch::Contains("another namespace") && !Catch::Contains("secret"));
  CHECK(backend::tellableName(host, {.uuid = "u", .name = "tenant~secret-host"}) == "of another host");
  CHECK(backend::tellableName(host, {.uuid = "u", .name = "ns~other"}) == "ns~other");
  CHECK(backend::tellableName(host, {.uuid = "u", .name = "by-hand"}) == "by-hand");
}
