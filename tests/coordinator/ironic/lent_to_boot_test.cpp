// A node whose machine is booted from a live ISO by somebody else, request by request (docs/decisions/0038).
#include "tests/coordinator/ironic/closed_gate.hpp"
#include "tests/coordinator/ironic/operations.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using coordinator::host::BootLoan;
using coordinator::host::Lent;
using coordinator::host::Loan;
using ironic::State;
using Verbs = std::vector<std::string>;

namespace {

coordinator::host::ProvisionData liveIso() {
  return {.image = api::Image{.url = "http://images/live.iso", .format = "live-iso"}, .bootMode = "UEFI"};
}

struct LentWorld : World {
  LentWorld() {
    given(State::available);
    REQUIRE(std::holds_alternative<Lent>(lend()));
    ironic.clearJournal();
  }
  BootLoan lend() {
    return untilDone([](Provisioner& p) { return p.lendToBoot(liveIso()); });
  }
  void isOn(bool on) {
    ironic.setMachine("ns~h", on);
    ironic.record("ns~h")["power_state"] = on ? "power on" : "power off";
    loop.run(factory.lookNow());
  }
  void noteBooted() {
    isOn(true);
    static_cast<void>(pass([](Provisioner& p) { return p.noteBooted(); }));
    REQUIRE(mark() == "booted");
  }
  std::string mark() { return json::textAt(ironic.record("ns~h"), {"extra", "ingot_live_iso"}); }
  bool isHeld() { return json::boolAt(ironic.record("ns~h"), {"maintenance"}) == true; }
};

}  // namespace

TEST_CASE("a node is lent with its instance on record, and taken for deployed when the boot is proved") {
  LentWorld world;
  CHECK(world.mark() == "lent");
  CHECK(world.nodeText("maintenance_reason") == "ingot: lent to an agent, which boots the host");
  CHECK(world.nodeText("deploy_interface") == "ramdisk");
  CHECK(isWorking(world.pass([](Provisioner& p) { return p.noteBooted(); })));
  CHECK(world.mark() == "lent");  // Ironic still remembers it as off, and would switch it off again
  world.noteBooted();
  CHECK(isDone(world.lend()));
  CHECK(world.ironic.state("ns~h") == State::active);
  CHECK_FALSE(world.isHeld());
  CHECK(world.ironic.verbs() == Verbs{"manage", "adopt"});
}

TEST_CASE("a lent node stays lent until whoever has its BMC has let go of it") {
  LentWorld world;
  ClosedGate gate;
  world.factory.setGate(gate);
  SECTION("a deployment of Ironic's own") {
    for (int i = 0; i < 5; ++i) CHECK(isWorking(world.pass([](Provisioner& p) { return p.provision(liveIso()); })));
  }
  SECTION("a tear-down") {
    for (int i = 0; i < 5; ++i) CHECK(isWorking(world.pass([](Provisioner& p) { return p.deprovision({}); })));
  }
  SECTION("an adoption") {
    world.noteBooted();
    for (int i = 0; i < 5; ++i) CHECK(isWorking(world.pass([](Provisioner& p) { return p.lendToBoot(liveIso()); })));
  }
  CHECK(world.isHeld());
  CHECK(world.ironic.verbs().empty());
  gate.open = true;
  CHECK(isDone(provisioned(world, liveIso())));
  CHECK_FALSE(world.isHeld());
  CHECK(gate.released == gate.acquired);
}

TEST_CASE("what nobody has ejected Ironic ejects with a tear-down, which takes a node that is active") {
  LentWorld world;
  world.isOn(true);
  CHECK(isDone(deprovisioned(world, "disabled")));
  CHECK(world.ironic.verbs() == Verbs{"manage", "adopt", "deleted"});
  CHECK_FALSE(world.isHeld());
  CHECK(world.mark().empty());
}

TEST_CASE("a node that was ejected is cleaned, although it was never active") {
  LentWorld world;
  REQUIRE(isDone(world.pass([](Provisioner& p) { return p.lend(Loan::toBoot); })));
  REQUIRE(isDone(world.pass([](Provisioner& p) { return p.noteEjected(); })));
  CHECK_FALSE(world.pass([](Provisioner& p) { return p.owesEjection(); }));
  CHECK(isDone(deprovisioned(world)));
  CHECK(world.ironic.verbs() == Verbs{"manage", "provide"});
  CHECK(world.mark().empty());
}

TEST_CASE("an ejection is on record only once Ironic knows that the machine is off") {
  LentWorld world;
  world.isOn(true);
  CHECK(isWorking(world.pass([](Provisioner& p) { return p.noteEjected(); })));
  CHECK(world.mark() == "lent");
  world.loop.clock.advance(std::chrono::minutes(3));
  world.isOn(true);
  const auto answer = world.pass([](Provisioner& p) { return p.noteEjected(); });
  REQUIRE(isWorking(answer));
  CHECK(workOf(answer)->obstacle.find("Ironic does not take note that the machine of node") == 0);
}

TEST_CASE("a live ISO that nobody takes out is told of") {
  LentWorld world;
  world.ironic.breakNext("ns~h", ironic::Verb::adopt, "the boot interface says no");
  CHECK(isDone(deprovisioned(world)));
  CHECK(world.ironic.verbs() == Verbs{"manage", "adopt", "manage", "provide"});
  CHECK(std::ranges::any_of(world.events, [](const auto& event) {
    return event.starts_with("LiveISOMayStay: Ironic cannot adopt the node (the boot interface says no)");
  }));
}
