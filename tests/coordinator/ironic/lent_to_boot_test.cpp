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

coordinator::host::ProvisionData liveIso(std::string url = "http://images/live.iso") {
  return {.image = api::Image{.url = std::move(url), .format = "live-iso"}, .bootMode = "UEFI"};
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
  void noteEjected() {
    isOn(false);
    REQUIRE(isDone(untilDone([](Provisioner& p) { return p.lend(Loan::toBoot); })));
    REQUIRE(isDone(pass([](Provisioner& p) { return p.noteEjected(); })));
    REQUIRE(mark() == "ejected");
  }
  // As the host controller gives a host back.
  Progress giveBack() {
    const coordinator::host::AdoptData adoption{.state = api::ProvisioningState::deprovisioning};
    auto progress = pass([&](Provisioner& p) { return p.adopt(adoption); });
    return isDone(progress) ? pass([](Provisioner& p) { return p.deprovision({}); }) : progress;
  }
  std::string mark() { return json::textAt(ironic.record("ns~h"), {"extra", "ingot_live_iso"}); }
  bool told(std::string_view words) {
    return std::ranges::any_of(events, [&](const auto& event) { return event.find(words) != std::string::npos; });
  }
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

TEST_CASE("an ejection waits for a conductor that holds the lent node, for ten minutes before its tries count") {
  LentWorld world;
  world.ironic.record("ns~h")["reservation"] = "conductor";
  const auto asked = [&] {
    world.loop.run(world.factory.lookNow());
    return world.pass([](Provisioner& p) { return p.lend(Loan::toBoot); });
  };
  Progress answer = asked();
  for (int i = 0; i < 58; ++i) {
    world.loop.clock.advance(std::chrono::seconds(10));
    answer = asked();
    REQUIRE(isWorking(answer));
  }
  CHECK(workOf(answer)->obstacle.find("is lent to an agent, and locked in Ironic all the same") != std::string::npos);
  world.loop.clock.advance(std::chrono::seconds(30));
  CHECK(refusalOf(asked()).find("Ironic's conductor conductor holds it") != std::string::npos);
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

TEST_CASE("a lent node that Ironic has not begun to deploy is still torn down, whatever is in its drive") {
  LentWorld world;
  ClosedGate gate;
  world.factory.setGate(gate);
  world.isOn(true);
  SECTION("its BMC is not let go of in time") {
    CHECK(isWorking(world.pass([](Provisioner& p) { return p.provision(liveIso()); })));
  }
  SECTION("another image is wanted by now") {
    CHECK(isWorking(world.pass([](Provisioner& p) { return p.provision(diskImage()); })));
  }
  CHECK(world.mark() == "lent");
  gate.open = true;
  CHECK(isDone(deprovisioned(world, "disabled")));
  CHECK(world.ironic.verbs() == Verbs{"manage", "adopt", "deleted"});
  CHECK(world.mark().empty());
  CHECK_FALSE(world.isHeld());
}

TEST_CASE("a node that is lent to boot and whose mark somebody has removed is torn down all the same") {
  LentWorld world;
  world.isOn(true);
  world.ironic.record("ns~h")["extra"] = json::Object{};
  world.loop.run(world.factory.refresh(world.host.provisionerId));
  CHECK(isDone(deprovisioned(world)));
  CHECK(world.ironic.verbs() == Verbs{"manage", "adopt", "deleted"});
  CHECK_FALSE(world.isHeld());
}

TEST_CASE("what Ironic has deployed after all bears no mark of an agent") {
  LentWorld world;
  for (int i = 0; i < 10 && world.ironic.verbs().empty(); ++i) {
    static_cast<void>(world.pass([](Provisioner& p) { return p.provision(liveIso()); }));
    world.loop.clock.advance(std::chrono::seconds(3));
  }
  SECTION("to the end") { CHECK(isDone(provisioned(world, liveIso()))); }
  SECTION("an agent is asked for once more meanwhile") { CHECK(isDone(world.lend())); }
  CHECK(world.ironic.verbs() == Verbs{"active"});
  CHECK(world.mark().empty());
}

TEST_CASE("who may fetch an image is no news for who reads Events") {
  const auto secret = liveIso("http://u:p4ss@images/x.iso");
  World world;
  world.given(State::available);
  SECTION("an agent boots it") {
    REQUIRE(std::holds_alternative<Lent>(world.untilDone([&](Provisioner& p) { return p.lendToBoot(secret); })));
  }
  SECTION("Ironic boots it") { REQUIRE(isDone(provisioned(world, secret))); }
  CHECK_FALSE(world.events.empty());
  for (const auto& event : world.events) {
    CHECK(event.find("p4ss") == std::string::npos);
    CHECK(event.find("images/x.iso") != std::string::npos);
  }
}

TEST_CASE("a way of deployment that is asked for after the boot is not taken for done") {
  LentWorld world;
  world.noteBooted();
  auto custom = liveIso();
  custom.customDeployMethod = "install";
  SECTION("before the node is active") {
    CHECK(isDone(provisioned(world, custom)));
    CHECK(world.ironic.verbs() == Verbs{"active"});
    CHECK(world.mark().empty());
  }
  SECTION("when it is") {
    REQUIRE(isDone(world.lend()));
    CHECK(refusalOf(provisioned(world, custom)).find("was booted by an agent") != std::string::npos);
  }
}

TEST_CASE("a boot that an agent has proved says nothing of what Ironic has deployed since") {
  LentWorld world;
  world.noteBooted();
  REQUIRE(isDone(world.lend()));
  auto& record = world.ironic.record("ns~h");
  record["driver_internal_info"] = json::Object{{"redfish_boot_device", "cdrom"}};
  const auto setsBootDevice = [&] {
    world.loop.run(world.factory.refresh(world.host.provisionerId));
    return world.loop.run(world.factory.setsBootDevice(world.host));
  };
  CHECK_FALSE(setsBootDevice());
  record["instance_info"] = json::Object{{"image_source", "http://images/disk.raw"}};
  CHECK(setsBootDevice());
}

TEST_CASE("a live ISO that Ironic's boot interface leaves in the drive is told of") {
  LentWorld world;
  world.isOn(true);
  const bool ejects = GENERATE(false, true);
  if (ejects) world.ironic.record("ns~h")["boot_interface"] = "redfish-virtual-media";
  CHECK(isDone(deprovisioned(world, "disabled")));
  CHECK(world.told("LiveISOMayStay: boot interface ipxe of node") != ejects);
}

TEST_CASE("a host whose live ISO nobody takes out does not run it on") {
  LentWorld world;
  world.isOn(true);
  world.ironic.breakNext("ns~h", ironic::Verb::adopt, "the boot interface says no");
  CHECK(isDone(deprovisioned(world, "disabled")));
  CHECK(world.told("LiveISOMayStay: "));
  CHECK_FALSE(world.ironic.machineOn("ns~h"));
  CHECK(world.nodeText("power_state") == "power off");
}

TEST_CASE("a maintenance that an operator has begun a moment ago is not written over") {
  World world;
  world.given(State::available);
  const auto lend = [&] { return world.pass([](Provisioner& p) { return p.lendToBoot(liveIso()); }); };
  static_cast<void>(lend());
  REQUIRE(json::textAt(world.ironic.record("ns~h"), {"extra", "ingot_live_iso"}) == "lent");
  world.ironic.record("ns~h")["maintenance"] = true;
  world.ironic.record("ns~h")["maintenance_reason"] = "disk swap";
  const auto answer = lend();
  CHECK(world.nodeText("maintenance_reason") == "disk swap");
  REQUIRE(isWorking(answer));
  CHECK(workOf(answer)->obstacle.find("disk swap") != std::string::npos);
}

TEST_CASE("a lent node whose reason somebody has changed stays in maintenance until its BMC is let go of") {
  LentWorld world;
  world.isOn(true);
  world.ironic.record("ns~h")["maintenance_reason"] = "disk swap";
  world.loop.run(world.factory.lookNow());
  ClosedGate gate;
  world.factory.setGate(gate);
  for (int i = 0; i < 5; ++i) CHECK(isWorking(world.pass([](Provisioner& p) { return p.deprovision({}); })));
  CHECK(world.isHeld());
}

TEST_CASE("a maintenance that an operator begins before what was ejected is torn down is waited for") {
  LentWorld world;
  const bool isActive = GENERATE(true, false);
  INFO((isActive ? "active" : "never active"));
  if (isActive) {
    world.noteBooted();
    REQUIRE(isDone(world.lend()));
  }
  world.noteEjected();
  world.ironic.clearJournal();
  ClosedGate gate;
  world.factory.setGate(gate);
  for (int i = 0; i < 2; ++i) CHECK(isWorking(world.giveBack()));
  world.ironic.record("ns~h")["maintenance_reason"] = "disk swap";
  gate.open = true;
  Progress answer;
  for (int i = 0; i < 5; ++i) {
    answer = world.giveBack();
    REQUIRE(isWorking(answer));
    world.loop.clock.advance(std::chrono::seconds(10));
  }
  CHECK(world.nodeText("maintenance_reason") == "disk swap");
  CHECK(world.ironic.verbs().empty());
  CHECK(workOf(answer)->stall.find("is in maintenance in Ironic (disk swap)") != std::string::npos);

  world.ironic.record("ns~h")["maintenance"] = false;
  world.ironic.record("ns~h")["maintenance_reason"] = nullptr;
  world.loop.run(world.factory.lookNow());
  CHECK(isDone(deprovisioned(world)));
  CHECK(world.ironic.verbs() == (isActive ? Verbs{"deleted"} : Verbs{"manage", "provide"}));
  CHECK(world.mark().empty());
}
