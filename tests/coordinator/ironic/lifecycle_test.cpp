// The operations against the double: from one end of a host's life to the other, and with things going wrong.
#include "tests/coordinator/ironic/operations.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using coordinator::host::HostConfigData;
using coordinator::host::Refused;
using ironic::State;
using ironic::Verb;

namespace {

struct Texts final : HostConfigData {
  base::Task<base::Secret> userData() override { co_return base::Secret("#cloud-config"); }
  base::Task<base::Secret> networkData() override { co_return base::Secret("links: []"); }
  base::Task<base::Secret> metaData() override { co_return base::Secret("rack: r1"); }
};

bool saw(const World& world, std::string_view event) {
  return std::find(world.events.begin(), world.events.end(), event) != world.events.end();
}

}  // namespace

TEST_CASE("a host's whole life") {
  World world;
  static_cast<void>(world.registered());
  world.ironic.setInventory("ns~h", json::parse(R"({"memory": {"physical_mb": 4096}, "hostname": "n1"})").get_object());
  const Inspected found = inspected(world);
  CHECK(std::get<api::HardwareDetails>(found).ramMebibytes == 4096);

  Texts texts;
  auto image = diskImage();
  image.hostConfig = &texts;
  CHECK(isDone(provisioned(world, image)));
  CHECK(world.ironic.state("ns~h") == State::active);
  CHECK(world.nodeText("instance_uuid") == world.host.uid);
  CHECK(saw(world, "ProvisioningComplete: Image provisioning completed for http://images/a.qcow2"));

  CHECK(isDone(deprovisioned(world)));
  CHECK(world.ironic.state("ns~h") == State::available);
  CHECK(isDone(removed(world)));
  CHECK(world.ironic.nodeCount() == 0);
  CHECK(world.ironic.verbs() == std::vector<std::string>{"manage", "provide", "active", "deleted"});
}

TEST_CASE("inspection is started when nothing was found yet, and again on demand") {
  World world;
  world.given(State::manageable);
  CHECK(isDone(inspected(world)));
  CHECK(world.events == std::vector<std::string>{"InspectionStarted: Hardware inspection started",
                                                 "InspectionComplete: Hardware inspection completed"});
  const auto again = world.pass([](Provisioner& p) { return p.inspectHardware(inBand({.refresh = true})); });
  CHECK(hasStarted(again));
  CHECK(world.ironic.verbs() == std::vector<std::string>{"inspect", "inspect"});
}

TEST_CASE("a failed inspection is shown, then started anew") {
  World world;
  world.given(State::manageable);
  world.ironic.breakNext("ns~h", Verb::inspect, "Timeout");
  CHECK(refusalOf(inspected(world)) == "Timeout");
  const auto again = world.pass([](Provisioner& p) { return p.inspectHardware(inBand({.restartOnFailure = true})); });
  CHECK(hasStarted(again));
}

TEST_CASE("an inspection that failed is not answered with what another interface found before it") {
  World world;
  world.given(State::manageable);
  world.ironic.setInventory("ns~h", {{"hostname", "found in band"}});
  world.ironic.put("ns~h", State::inspectFailed, "Timeout");
  const auto fast = [](bool restart) {
    return [=](Provisioner& p) { return p.inspectHardware(outOfBand({.restartOnFailure = restart})); };
  };
  bool restart = true;  // the failure is shown until something goes on
  const auto found = world.untilDone([&](Provisioner& p) { return fast(std::exchange(restart, false))(p); });
  CHECK(isDone(found));
  CHECK(world.ironic.verbs() == std::vector<std::string>{"manage", "inspect"});
  CHECK(world.nodeText("inspect_interface") == "redfish");
}

TEST_CASE("a port that an inspection has removed is made again, and so is one of another card") {
  World world;
  world.given(State::manageable);
  const auto ports = [&] {
    std::set<std::string> macs;
    for (const auto& port : world.ironic.ports()) macs.insert(json::textAt(port, {"address"}));
    return macs;
  };
  static_cast<void>(world.registered());
  REQUIRE(ports() == std::set<std::string>{"02:00:00:00:00:0a"});

  static_cast<void>(world.pass([](Provisioner& p) { return p.inspectHardware(inBand({.refresh = true})); }));
  world.ironic.removePorts("ns~h");  // as Ironic does with ports that it did not see
  world.loop.clock.advance(std::chrono::minutes(2));
  static_cast<void>(world.registered());
  CHECK(ports() == std::set<std::string>{"02:00:00:00:00:0a"});

  world.registerData.nics = {{.mac = "02:00:00:00:00:0b"}};
  static_cast<void>(world.registered());
  world.registerData.nics = {{.mac = "02:00:00:00:00:0c"}};
  static_cast<void>(world.registered());
  CHECK(ports().contains("02:00:00:00:00:0c"));
}

TEST_CASE("a cleaning that fails before the image is written fails the deployment, each time anew") {
  const auto clocksApart = GENERATE(std::chrono::minutes(-5), std::chrono::minutes(0), std::chrono::minutes(5));
  World world;
  world.given(State::manageable);
  auto image = diskImage();
  image.begun = world.loop.clock.wall() + clocksApart;
  world.loop.clock.advance(std::chrono::seconds(1));
  world.ironic.breakNext("ns~h", Verb::provide, "no disk");
  CHECK(refusalOf(provisioned(world, image)) == "Cleaning failed: no disk");
  CHECK(world.ironic.verbs() == std::vector<std::string>{"provide"});
}

TEST_CASE("a cleaning that failed before a deployment began is led out of, whatever the clocks say") {
  const auto clocksApart = GENERATE(std::chrono::minutes(-5), std::chrono::minutes(0), std::chrono::minutes(5));
  World world;
  world.given(State::cleanFailed, "no disk");
  world.loop.clock.advance(std::chrono::seconds(1));
  auto image = diskImage();
  image.begun = world.loop.clock.wall() + clocksApart;
  CHECK(refusalOf(provisioned(world, image)).empty());
  CHECK(world.ironic.verbs() == std::vector<std::string>{"manage", "provide", "active"});
}

TEST_CASE("the config drive carries who the machine is and what its Secrets say") {
  World world;
  world.given(State::available);
  Texts texts;
  auto image = diskImage();
  image.hostConfig = &texts;
  static_cast<void>(world.pass([=](Provisioner& p) { return p.provision(image); }));
  const json::Value& body = world.ironic.journal().back().body;
  CHECK(json::textAt(body, {"target"}) == "active");
  CHECK(json::textAt(body, {"configdrive", "user_data"}) == "#cloud-config");
  CHECK(json::textAt(body, {"configdrive", "meta_data", "rack"}) == "r1");
  CHECK(json::textAt(body, {"configdrive", "meta_data", "uuid"}) == world.host.uid);
  CHECK(json::arrayAt(body, {"configdrive", "network_data", "links"}));
}

TEST_CASE("an image without checksum is refused") {
  World world;
  world.given(State::available);
  auto image = diskImage();
  image.image->checksum = "";
  CHECK(refusalOf(provisioned(world, image)) == "Validation failed: checksum is required for normal images");
  CHECK(world.ironic.journal().empty());
}

TEST_CASE("a deployment that failed is shown; another image starts anew") {
  World world;
  world.given(State::available);
  world.ironic.breakNext("ns~h", Verb::deploy, "checksum mismatch");
  CHECK(refusalOf(provisioned(world)) ==
        "Image provisioning failed (url: http://images/a.qcow2, checksum: abcd): checksum mismatch");
  CHECK(isDone(provisioned(world, diskImage("http://images/b.qcow2"))));
  CHECK(world.ironic.state("ns~h") == State::active);
}

TEST_CASE("an instance that a former host left on the node does not block a deployment") {
  World world;
  world.given(State::available);
  world.ironic.record("ns~h")["instance_uuid"] = "99999999-2222-4333-8444-555555555555";
  CHECK(isDone(provisioned(world)));
  CHECK(world.nodeText("instance_uuid") == world.host.uid);
}

TEST_CASE("RAID volumes are refused as long as they can be neither made nor removed") {
  World world;
  world.given(State::manageable);
  const auto prepared = [&](coordinator::host::PrepareData data) {
    return world.pass([&](Provisioner& p) { return p.prepare(data); });
  };
  api::RaidConfig none;
  none.hardwareRAIDVolumes.emplace();
  CHECK_THAT(
      refusalOf(prepared({.targetRaid = none, .unprepared = true})),
      Catch::Contains("RAID volumes are not supported yet, neither making nor removing them: remove spec.raid;"));
  CHECK(isDone(prepared({.targetRaid = none, .actualRaid = none, .unprepared = true})));
  CHECK(isDone(prepared({.unprepared = true})));
}

TEST_CASE("a tear-down that Ironic cannot begin because it has lost the BMC is no silent wait") {
  World world;
  for (const State state : {State::active, State::manageable, State::deployFailed}) {
    world.given(state, "no route to host");
    world.ironic.record("ns~h")["maintenance"] = true;
    world.ironic.record("ns~h")["fault"] = "power failure";
    const Progress progress =
        world.pass([](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); });
    CHECK_THAT(refusalOf(progress), Catch::StartsWith("Ironic has lost the BMC of node ") &&
                                        Catch::EndsWith("(power failure): no route to host"));
    CHECK(std::get<Refused>(progress).retryAfter);
    CHECK(world.ironic.verbs().empty());
    CHECK(isDone(removed(world)));
  }
}

TEST_CASE("our own node is adopted when Ironic lost its database, without touching the disk") {
  World world;
  static_cast<void>(world.registered());
  CHECK(isDone(provisioned(world)));
  world.ironic.loseDatabase();
  world.ironic.clearJournal();
  world.loop.clock.advance(std::chrono::minutes(2));

  world.registerData.state = HostState::provisioned;
  CHECK(isDone(world.registered()));
  CHECK(isDone(world.untilDone([](Provisioner& p) { return p.adopt({.state = HostState::provisioned}); })));
  CHECK(world.ironic.state("ns~h") == State::active);
  CHECK(world.ironic.verbs() == std::vector<std::string>{"manage", "adopt"});
}

TEST_CASE("the cleaning mode is settled before the tear-down") {
  World world;
  world.given(State::active);
  CHECK(isDone(deprovisioned(world, "disabled")));
  CHECK(json::boolAt(world.ironic.record("ns~h"), {"automated_clean"}) == std::optional(false));
  CHECK(world.ironic.verbs() == std::vector<std::string>{"deleted"});
  CHECK(saw(world, "DeprovisioningComplete: Image deprovisioning completed"));
}

TEST_CASE("an active node is put into maintenance, then deleted; its machine keeps running") {
  World world;
  world.given(State::active);
  world.ironic.setMachine("ns~h", true);
  CHECK(isDone(removed(world)));
  CHECK(world.ironic.nodeCount() == 0);
  CHECK(world.ironic.verbs().empty());
}

TEST_CASE("a locked node is waited for, whatever is wanted") {
  World world;
  world.given(State::manageable);
  world.ironic.lock("ns~h");
  const auto busy = [&](const Progress& progress) {
    const auto* work = workOf(progress);
    return work != nullptr && work->after >= std::chrono::seconds(3) && work->after < std::chrono::seconds(4);
  };
  CHECK(busy(world.pass([](Provisioner& p) { return p.provision(diskImage()); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.adopt({.state = HostState::provisioned}); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.powerOn({}); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.remove(); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); })));
}

TEST_CASE("a fault of Ironic's is waited out, a maintenance of somebody's is ended") {
  World world;
  world.given(State::manageable);
  world.ironic.record("ns~h")["maintenance"] = true;
  world.ironic.record("ns~h")["fault"] = "power failure";
  const auto held = world.pass([](Provisioner& p) { return p.provision(diskImage()); });
  REQUIRE(isWorking(held));
  CHECK(workOf(held)->after >= std::chrono::seconds(10));
  CHECK(world.ironic.journal().empty());
  CHECK(world.pass([](Provisioner& p) { return p.hasPowerFailure(); }));

  world.ironic.record("ns~h")["fault"] = nullptr;
  world.loop.clock.advance(std::chrono::minutes(1));
  CHECK(isDone(provisioned(world)));
}

TEST_CASE("a tear-down that the BMC refuses fails before anything is cleaned: that is about the BMC") {
  World world;
  world.given(State::active);
  world.ironic.setMachine("ns~h", true);
  world.ironic.breakPower("ns~h", "the BMC refuses");
  const auto refused = std::get<coordinator::host::Refused>(deprovisioned(world));
  CHECK(refused.message == "Failed to tear down: the BMC refuses");
  CHECK(refused.aboutReach);
  CHECK(world.ironic.state("ns~h") == State::error);
}

TEST_CASE("a cleaning that fails is not about the BMC, also when its power is the reason") {
  World world;
  world.given(State::manageable);
  world.ironic.breakPower("ns~h", "the BMC refuses");
  const auto refused = std::get<coordinator::host::Refused>(deprovisioned(world));
  CHECK_THAT(refused.message, Catch::StartsWith("Cleaning failed: ") && Catch::EndsWith("the BMC refuses"));
  CHECK_FALSE(refused.aboutReach);
  CHECK_FALSE(json::boolAt(world.ironic.record("ns~h"), {"maintenance"}).value_or(false));
}

TEST_CASE("every operation ends well although every kind of request breaks once") {
  const std::vector<std::pair<std::string, std::string>> requests{{"GET", "/nodes/"},           {"GET", "/validate"},
                                                                  {"GET", "/inventory"},        {"PATCH", "/nodes/"},
                                                                  {"PUT", "/states/provision"}, {"DELETE", "/nodes/"}};
  for (const auto kind : {FakeFault::Kind::refused, FakeFault::Kind::lostAnswer})
    for (const auto& [method, path] : requests) {
      CAPTURE(static_cast<int>(kind), method, path);
      World world;
      static_cast<void>(world.registered());
      world.ironic.failNext(method, path, {.kind = kind}, method == "GET" ? 2 : 1);
      CHECK(isDone(inspected(world)));
      CHECK(isDone(provisioned(world)));
      CHECK(isDone(deprovisioned(world)));
      CHECK(isDone(removed(world)));
      CHECK(world.ironic.nodeCount() == 0);
      CHECK(world.ironic.verbs().size() <= 5);
    }
}

TEST_CASE("operations on a host without node ask for registration") {
  World world;
  const auto codeOf = [&](auto operation) {
    try {
      static_cast<void>(world.pass(operation));
    } catch (const ProvisionerError& error) {
      return error.code();
    }
    throw std::runtime_error("no error");
  };
  CHECK(codeOf([](Provisioner& p) { return p.provision(diskImage()); }) == ProvisionerError::Code::needsRegistration);
  world.host.provisionerId = "44444444-2222-4333-8444-555555555555";
  CHECK(codeOf([](Provisioner& p) { return p.adopt({.state = HostState::provisioned}); }) ==
        ProvisionerError::Code::needsRegistration);
  CHECK(isDone(world.pass([](Provisioner& p) { return p.remove(); })));
  CHECK(world.pass([](Provisioner& p) { return p.health(); }).empty());
}
