// What all hosts share: slots for hosts at work, news of the sweep, the gate to their BMCs.
#include "tests/coordinator/ironic/closed_gate.hpp"
#include "tests/coordinator/ironic/operations.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using coordinator::host::BackendEvent;
using coordinator::host::NodeChanged;
using ironic::State;

TEST_CASE("only as many hosts at work as the limit allows, also between two sweeps") {
  World world({}, {.provisioningLimit = 2});
  const auto slot = [&](std::string name, std::string address) {
    world.host.name = std::move(name);
    world.host.bmcAddress = std::move(address);
    return world.pass([](Provisioner& p) { return p.acquireSlot(); });
  };
  world.ironic.add({{"name", "ns~busy"}, {"provision_state", "clean wait"}});
  CHECK(slot("a", "ipmi://10.0.0.1"));
  CHECK_FALSE(slot("b", "ipmi://10.0.0.2"));  // "a" has claimed the last slot
  CHECK(slot("a", "ipmi://10.0.0.1"));
  CHECK(slot("busy", "ipmi://10.0.0.3"));
  CHECK(slot("b", "redfish-virtualmedia://10.0.0.2/x"));  // loads no network
  CHECK(slot("b", "carrier-pigeon://10.0.0.2"));          // boots nothing, and must be able to leave
}

TEST_CASE("whether Ironic is ready is shown") {
  World world;
  base::Metrics page;
  world.factory.showAt(page);
  const auto up = [&] { return page.gauge("ingot_ironic_up", "").value(); };
  CHECK(up() == 0);
  world.loop.run(world.factory.lookNow());
  CHECK(up() == 1);
  world.net.remove("http://ironic:6385");
  world.loop.clock.advance(1h);  // what was believed is not any more
  CHECK_THROWS_AS(world.loop.run(world.factory.lookNow()), ProvisionerError);
  CHECK(up() == 0);
  world.net.serve("http://ironic:6385", world.ironic);
  world.loop.run(world.factory.lookNow());
  CHECK(up() == 1);
}

TEST_CASE("unless it is told otherwise twenty hosts may be at work") {
  World world({}, backend::settingsFrom([](std::string_view) { return std::nullopt; }));
  for (int i = 0; i < 19; ++i) world.ironic.add({{"name", fmt::format("ns~{}", i)}, {"provision_state", "deploying"}});
  const auto slot = [&](std::string name) {
    world.host.name = std::move(name);
    world.host.bmcAddress = "ipmi://10.0.0.1";
    return world.pass([](Provisioner& p) { return p.acquireSlot(); });
  };
  CHECK(slot("twentieth"));
  CHECK_FALSE(slot("late"));
}

TEST_CASE("whoever listens hears of a node from the sweep, until he listens no more") {
  World world;
  std::vector<std::string> nodes, heardByAnother;
  const auto noteIn = [](std::vector<std::string>& heard) {
    return [&heard](const BackendEvent& event) {
      if (const auto* node = std::get_if<NodeChanged>(&event)) heard.push_back(node->provisionerId);
    };
  };
  const auto listening = world.factory.listen(noteIn(nodes));
  auto another = world.factory.listen(noteIn(heardByAnother));
  base::TaskGroup tasks{world.loop.io.get_executor(), base::Log::silent()};
  tasks.spawn("sweep", world.factory.run());
  world.loop.clock.settle();
  static_cast<void>(world.registerOnce());
  world.loop.clock.advance(std::chrono::seconds(4));
  CHECK_FALSE(nodes.empty());
  CHECK(heardByAnother == nodes);
  CHECK(world.factory.nodes().look(world.host.provisionerId)->node->state() == State::manageable);

  another.end();
  world.ironic.put("ns~h", State::active);
  world.loop.clock.advance(std::chrono::minutes(2));
  CHECK(nodes.size() > heardByAnother.size());
  world.loop.run(tasks.close());
}

TEST_CASE("a refused request is no news, one whose end nobody knows is looked for") {
  World world;
  int news = 0;
  const auto listening = world.factory.listen([&](const BackendEvent& event) {
    if (std::holds_alternative<NodeChanged>(event)) ++news;
  });
  base::TaskGroup tasks{world.loop.io.get_executor(), base::Log::silent()};
  world.given(State::manageable);
  tasks.spawn("sweep", world.factory.run());
  world.loop.clock.advance(std::chrono::seconds(1));
  news = 0;
  const auto unsettledAfter = [&](FakeFault fault) {
    world.ironic.failNext("PUT", "/states/provision", fault);
    CHECK_THROWS(world.pass([](Provisioner& p) { return p.provision(diskImage()); }));
    const bool unsettled = world.factory.nodes().unsettled(world.host.provisionerId);
    world.loop.clock.advance(std::chrono::minutes(2));
    return unsettled;
  };
  CHECK_FALSE(unsettledAfter({.status = 400}));
  CHECK(unsettledAfter({.status = 503}));
  CHECK(news == 0);
  world.loop.run(tasks.close());
}

TEST_CASE("nothing touches the BMC before the gate is open") {
  ClosedGate gate;
  World world;
  world.factory.setGate(gate);
  world.given(State::manageable);
  CHECK(isWorking(world.pass([](Provisioner& p) { return p.provision(diskImage()); })));
  CHECK(isWorking(world.pass([](Provisioner& p) { return p.powerOn({}); })));
  CHECK(world.ironic.journal().empty());
  gate.open = true;
  CHECK(isDone(provisioned(world)));
  CHECK(gate.acquired == 2);  // provide, active
  CHECK(gate.released == gate.acquired);
}
