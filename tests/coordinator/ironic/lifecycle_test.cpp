// The operations against the double: from one end of a host's life to the other, and with things going wrong.
#include "tests/coordinator/ironic/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using coordinator::host::HostConfigData;
using coordinator::host::InspectData;
using coordinator::host::RebootMode;
using ironic::State;
using ironic::Verb;

namespace {

struct Texts final : HostConfigData {
  base::Task<base::Secret> userData() override { co_return base::Secret("#cloud-config"); }
  base::Task<base::Secret> networkData() override { co_return base::Secret("links: []"); }
  base::Task<base::Secret> metaData() override { co_return base::Secret("rack: r1"); }
};

Inspected inspected(World& world, bool refresh = false) {
  return world.untilDone(
      [=](Provisioner& p) { return p.inspectHardware({"UEFI", "x86_64", "agent"}, false, refresh, false); });
}

Result provisioned(World& world, coordinator::host::ProvisionData data = diskImage()) {
  return world.untilDone([=](Provisioner& p) { return p.provision(data, false); });
}

Result deprovisioned(World& world, std::string mode = "metadata") {
  return world.untilDone([=](Provisioner& p) { return p.deprovision(false, mode); });
}

Result removed(World& world) {
  return world.untilDone([](Provisioner& p) { return p.remove(); });
}

bool saw(const World& world, std::string_view event) {
  return std::find(world.events.begin(), world.events.end(), event) != world.events.end();
}

}  // namespace

TEST_CASE("a host's whole life") {
  World world;
  static_cast<void>(world.registered());
  world.ironic.setInventory("ns~h", json::parse(R"({"memory": {"physical_mb": 4096}, "hostname": "n1"})").get_object());
  const Inspected found = inspected(world);
  REQUIRE(found.details);
  CHECK(found.details->ramMebibytes == 4096);

  Texts texts;
  auto image = diskImage();
  image.hostConfig = &texts;
  CHECK(provisioned(world, image).errorMessage.empty());
  CHECK(world.ironic.state("ns~h") == State::active);
  CHECK(world.nodeText("instance_uuid") == world.host.uid);
  CHECK(saw(world, "ProvisioningComplete: Image provisioning completed for http://images/a.qcow2"));

  CHECK(deprovisioned(world).errorMessage.empty());
  CHECK(world.ironic.state("ns~h") == State::available);
  CHECK(removed(world).errorMessage.empty());
  CHECK(world.ironic.nodeCount() == 0);
  CHECK(world.ironic.verbs() == std::vector<std::string>{"manage", "provide", "active", "deleted"});
}

TEST_CASE("inspection is started when nothing was found yet, and again on demand") {
  World world;
  world.given(State::manageable);
  CHECK(inspected(world).details);
  CHECK(world.events == std::vector<std::string>{"InspectionStarted: Hardware inspection started",
                                                 "InspectionComplete: Hardware inspection completed"});
  const auto again =
      world.pass([](Provisioner& p) { return p.inspectHardware({"UEFI", "x86_64", "agent"}, false, true, false); });
  CHECK(again.started);
  CHECK(world.ironic.verbs() == std::vector<std::string>{"inspect", "inspect"});
}

TEST_CASE("a failed inspection is shown, then started anew") {
  World world;
  world.given(State::manageable);
  world.ironic.breakNext("ns~h", Verb::inspect, "Timeout");
  CHECK(inspected(world).result.errorMessage == "Timeout");
  const auto again =
      world.pass([](Provisioner& p) { return p.inspectHardware({"UEFI", "x86_64", "agent"}, true, false, false); });
  CHECK(again.started);
}

TEST_CASE("the config drive carries who the machine is and what its Secrets say") {
  World world;
  world.given(State::available);
  Texts texts;
  auto image = diskImage();
  image.hostConfig = &texts;
  static_cast<void>(world.pass([=](Provisioner& p) { return p.provision(image, false); }));
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
  CHECK(provisioned(world, image).errorMessage == "Validation failed: checksum is required for normal images");
  CHECK(world.ironic.journal().empty());
}

TEST_CASE("a deployment that failed is shown; another image starts anew") {
  World world;
  world.given(State::available);
  world.ironic.breakNext("ns~h", Verb::deploy, "checksum mismatch");
  CHECK(provisioned(world).errorMessage ==
        "Image provisioning failed (url: http://images/a.qcow2, checksum: abcd): checksum mismatch");
  CHECK(provisioned(world, diskImage("http://images/b.qcow2")).errorMessage.empty());
  CHECK(world.ironic.state("ns~h") == State::active);
}

TEST_CASE("an instance that a former host left on the node does not block a deployment") {
  World world;
  world.given(State::available);
  world.ironic.record("ns~h")["instance_uuid"] = "99999999-2222-4333-8444-555555555555";
  CHECK(provisioned(world).errorMessage.empty());
  CHECK(world.nodeText("instance_uuid") == world.host.uid);
}

TEST_CASE("our own node is adopted when Ironic lost its database, without touching the disk") {
  World world;
  static_cast<void>(world.registered());
  CHECK(provisioned(world).errorMessage.empty());
  world.ironic.loseDatabase();
  world.ironic.clearJournal();
  world.loop.clock.advance(std::chrono::minutes(2));

  world.registerData.state = "provisioned";
  CHECK(world.registered().errorMessage.empty());
  CHECK_FALSE(world.untilDone([](Provisioner& p) { return p.adopt("provisioned", false); }).dirty);
  CHECK(world.ironic.state("ns~h") == State::active);
  CHECK(world.ironic.verbs() == std::vector<std::string>{"manage", "adopt"});
}

TEST_CASE("the cleaning mode is settled before the tear-down") {
  World world;
  world.given(State::active);
  CHECK(deprovisioned(world, "disabled").errorMessage.empty());
  CHECK(json::boolAt(world.ironic.record("ns~h"), {"automated_clean"}) == std::optional(false));
  CHECK(world.ironic.verbs() == std::vector<std::string>{"deleted"});
  CHECK(saw(world, "DeprovisioningComplete: Image deprovisioning completed"));
}

TEST_CASE("an active node is put into maintenance, then deleted; its machine keeps running") {
  World world;
  world.given(State::active);
  world.ironic.setMachine("ns~h", true);
  CHECK(removed(world).errorMessage.empty());
  CHECK(world.ironic.nodeCount() == 0);
  CHECK(world.ironic.verbs().empty());
}

TEST_CASE("power goes on and off, and the events say so") {
  World world;
  world.given(State::active);
  CHECK_FALSE(world.untilDone([](Provisioner& p) { return p.powerOn(false); }).dirty);
  CHECK(world.ironic.machineOn("ns~h"));
  CHECK(world.pass([](Provisioner& p) { return p.poweredOn(); }) == std::optional(true));
  CHECK_FALSE(world.untilDone([](Provisioner& p) { return p.powerOff(RebootMode::soft, false, "metadata"); }).dirty);
  CHECK_FALSE(world.ironic.machineOn("ns~h"));
  CHECK(world.events == std::vector<std::string>{"PowerOn: Host powered on", "PowerOff: Host soft powered off"});
}

TEST_CASE("a soft power-off that the driver lacks becomes a hard one in the same call") {
  World world;
  world.given(State::active);
  world.ironic.record("ns~h")["power_state"] = "power on";
  world.ironic.failNext("PUT", "/states/power", {.status = 400, .text = "soft power off is not supported"});
  static_cast<void>(world.pass([](Provisioner& p) { return p.powerOff(RebootMode::soft, false, "metadata"); }));
  CHECK(json::textAt(world.ironic.journal().back().body, {"target"}) == "power off");
}

TEST_CASE("a power failure is shown, then tried again with force") {
  World world;
  world.given(State::active);
  world.ironic.breakPower("ns~h", "no mains");
  const auto failed = world.untilDone([](Provisioner& p) { return p.powerOn(false); });
  CHECK_THAT(failed.errorMessage, Catch::StartsWith("PowerOn operation failed: ") && Catch::EndsWith("no mains"));
  world.ironic.breakPower("ns~h", "");
  CHECK(world.untilDone([](Provisioner& p) { return p.powerOn(true); }).errorMessage.empty());
  CHECK(world.ironic.machineOn("ns~h"));
}

TEST_CASE("a locked node is waited for, whatever is wanted") {
  World world;
  world.given(State::manageable);
  world.ironic.lock("ns~h");
  const auto busy = [&](const Result& result) {
    return result.dirty && result.errorMessage.empty() && result.requeueAfter >= std::chrono::seconds(3) &&
           result.requeueAfter < std::chrono::seconds(4);
  };
  CHECK(busy(world.pass([](Provisioner& p) { return p.provision(diskImage(), false); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.adopt("provisioned", false); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.powerOn(false); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.remove(); })));
  CHECK(busy(world.pass([](Provisioner& p) { return p.deprovision(false, "metadata"); })));
}

TEST_CASE("a fault of Ironic's is waited out, a maintenance of somebody's is ended") {
  World world;
  world.given(State::manageable);
  world.ironic.record("ns~h")["maintenance"] = true;
  world.ironic.record("ns~h")["fault"] = "power failure";
  CHECK(world.pass([](Provisioner& p) { return p.provision(diskImage(), false); }).requeueAfter >=
        std::chrono::seconds(10));
  CHECK(world.ironic.journal().empty());
  CHECK(world.pass([](Provisioner& p) { return p.hasPowerFailure(); }));

  world.ironic.record("ns~h")["fault"] = nullptr;
  world.loop.clock.advance(std::chrono::minutes(1));
  CHECK(provisioned(world).errorMessage.empty());
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
      CHECK(inspected(world).details);
      CHECK(provisioned(world).errorMessage.empty());
      CHECK(deprovisioned(world).errorMessage.empty());
      CHECK(removed(world).errorMessage.empty());
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
  CHECK(codeOf([](Provisioner& p) { return p.provision(diskImage(), false); }) ==
        ProvisionerError::Code::needsRegistration);
  world.host.provisionerId = "44444444-2222-4333-8444-555555555555";
  CHECK(codeOf([](Provisioner& p) { return p.adopt("provisioned", false); }) ==
        ProvisionerError::Code::needsRegistration);
  CHECK_FALSE(world.pass([](Provisioner& p) { return p.remove(); }).dirty);
  CHECK(world.pass([](Provisioner& p) { return p.health(); }).empty());
}

TEST_CASE("only as many hosts at work as the limit allows, also between two sweeps") {
  World world({}, {.provisioningLimit = 2});
  const auto room = [&](std::string name, std::string address) {
    world.host.name = std::move(name);
    world.host.bmcAddress = std::move(address);
    return world.pass([](Provisioner& p) { return p.hasCapacity(); });
  };
  world.ironic.add({{"name", "ns~busy"}, {"provision_state", "clean wait"}});
  CHECK(room("a", "ipmi://10.0.0.1"));
  CHECK_FALSE(room("b", "ipmi://10.0.0.2"));  // "a" has been promised the last place
  CHECK(room("a", "ipmi://10.0.0.1"));
  CHECK(room("busy", "ipmi://10.0.0.3"));
  CHECK(room("b", "redfish-virtualmedia://10.0.0.2/x"));  // loads no network
}

TEST_CASE("hosts hear of their node from the sweep") {
  struct Listener final : coordinator::host::BackendListener {
    void hostChanged(const std::string&, const std::string&) override {}
    void nodeChanged(const std::string& id) override { nodes.push_back(id); }
    void backendReturned() override { ++returns; }
    std::vector<std::string> nodes;
    int returns = 0;
  } listener;
  World world;
  world.factory.listen(listener);
  base::TaskGroup tasks{world.loop.io.get_executor(), base::Log::silent()};
  tasks.spawn("sweep", world.factory.run());
  world.loop.clock.settle();
  static_cast<void>(world.registerOnce());
  world.loop.clock.advance(std::chrono::seconds(4));
  CHECK_FALSE(listener.nodes.empty());
  CHECK(world.factory.nodes().look(world.host.provisionerId)->node->state() == State::manageable);
  world.loop.run(tasks.close());
}

TEST_CASE("Ironic's memory of the power follows a change that somebody else made") {
  World world;
  world.given(State::active);
  world.ironic.record("ns~h")["power_state"] = "power on";
  CHECK_FALSE(world.loop.run(world.factory.recordPower(world.host.provisionerId, false)));
  world.loop.clock.advance(std::chrono::seconds(10));
  CHECK(world.loop.run(world.factory.recordPower(world.host.provisionerId, false)));
  CHECK(world.nodeText("power_state") == "power off");
}

TEST_CASE("nothing touches the BMC before the gate is open") {
  struct Closed final : backend::Gate {
    base::Task<bool> mayAct(std::string, std::string, std::string) override {
      let += open ? 1 : 0;
      co_return open;
    }
    void finished(const std::string&) override { ++ended; }
    bool open = false;
    int let = 0, ended = 0;
  } gate;
  World world;
  world.factory.setGate(gate);
  world.given(State::manageable);
  CHECK(world.pass([](Provisioner& p) { return p.provision(diskImage(), false); }).dirty);
  CHECK(world.pass([](Provisioner& p) { return p.powerOn(false); }).dirty);
  CHECK(world.ironic.journal().empty());
  gate.open = true;
  CHECK(provisioned(world).errorMessage.empty());
  CHECK(gate.let == 2);  // provide, active
  CHECK(gate.ended == gate.let);
}
