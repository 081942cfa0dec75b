#include "coordinator/host/ironic/register.hpp"

#include "tests/coordinator/ironic/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using ironic::State;

TEST_CASE("a new host gets a node with exactly the keys that Metal3 gives") {
  World world({}, {.deployKernelUrl = "http://k", .deployRamdiskUrl = "http://r"});
  CHECK(isDone(world.registered()));
  CHECK(world.ironic.state("ns~h") == State::manageable);

  const json::Object& node = world.ironic.record("ns~h");
  CHECK(json::equal(node.at("driver_info"),
                    json::parse(R"({"redfish_address": "https://10.0.0.1", "redfish_system_id": "/redfish/v1/Systems/1",
                                    "redfish_username": "admin", "redfish_password": "secret",
                                    "deploy_kernel": "http://k", "deploy_ramdisk": "http://r"})")));
  CHECK(json::equal(node.at("properties"), json::parse(R"({"capabilities": "boot_mode:uefi", "cpu_arch": "x86_64"})")));
  CHECK(node.at("automated_clean") == true);
  CHECK(world.nodeText("boot_interface") == "ipxe");
  REQUIRE(world.ironic.ports().size() == 1);
  CHECK(json::textAt(world.ironic.ports()[0], {"address"}) == "02:00:00:00:00:0a");
  CHECK(world.events == std::vector<std::string>{"Registered: Registered new host"});
}

TEST_CASE("registering a host that is as wanted changes nothing and asks nothing") {
  World world;
  static_cast<void>(world.registered());
  world.ironic.clearJournal();
  static_cast<void>(world.registerOnce());
  const std::size_t before = world.ironic.requestCount();
  CHECK(isDone(world.registerOnce()));
  CHECK(world.ironic.journal().empty());
  CHECK(world.ironic.requestCount() == before);
}

TEST_CASE("what an Ironic or a driver cannot do is refused before anything is sent") {
  struct Row {
    const char* text;
    std::function<void(World&)> arrange;
  };
  const std::vector<Row> rows{
      {"failed to parse BMC address information: Unknown BMC type 'foo' for address foo://x",
       [](World& w) { w.host.bmcAddress = "foo://x"; }},
      {"BMC driver ipmi does not support fast (out-of-band) inspection",
       [](World& w) {
         w.host.bmcAddress = "ipmi://10.0.0.1";
         w.registerData.fastInspection = true;
       }},
      {"BMC driver libvirt does not support secure boot",
       [](World& w) {
         w.host.bmcAddress = "libvirt://10.0.0.1";
         w.registerData.bootMode = "UEFISecureBoot";
       }},
      {"Validation error with BMC credentials: Missing BMC connection details 'password' in credentials",
       [](World& w) { w.host.credentials.password = {}; }},
  };
  for (const Row& row : rows) {
    World world;
    row.arrange(world);
    CHECK(refusalOf(world.registerOnce()) == row.text);
    CHECK(world.ironic.nodeCount() == 0);
  }
}

TEST_CASE("a host that is not inspected needs a boot MAC") {
  World world;
  world.host.bootMacAddress = "";
  world.registerData.inspectionDisabled = true;
  CHECK(refusalOf(world.registerOnce()) == "BMC driver redfish requires a BootMACAddress value");
}

TEST_CASE("an older Ironic is not told of disable_power_off, and refuses hosts that need it") {
  World world({.maxMinor = 93});
  CHECK(isDone(world.registered()));
  world.registerData.disablePowerOff = true;
  CHECK(refusalOf(world.registerOnce()) ==
        "current ironic version does not support DisablePowerOff, refusing to manage node");
}

TEST_CASE("a wrong password is shown, and forgiven when the credentials change") {
  World world;
  static_cast<void>(world.registerOnce());
  world.ironic.breakNext("ns~h", ironic::Verb::manage, "Failed to get power state");
  const auto failed = world.registered();
  CHECK(refusalOf(failed) == "Failed to get power state");

  world.host.credentials.password = base::Secret("new");
  CHECK(isWorking(world.registerOnce(true)));
  CHECK(json::textAt(world.ironic.record("ns~h"), {"driver_info", "redfish_password"}) == "new");
  CHECK(isDone(world.registered()));
}

TEST_CASE("a changed BMC address or system is told to Ironic") {
  World world;
  static_cast<void>(world.registered());
  world.host.bmcAddress = "redfish://10.0.0.1/redfish/v1/Systems/2";
  static_cast<void>(world.registerOnce());
  CHECK(json::textAt(world.ironic.record("ns~h"), {"driver_info", "redfish_system_id"}) == "/redfish/v1/Systems/2");
}

TEST_CASE("a node of the legacy name is taken over and renamed") {
  World world;
  const std::string id = world.ironic.add({{"name", "h"}, {"provision_state", "manageable"}, {"driver", "redfish"}});
  ironic::Client client(world.loop.runtime, world.net, World::endpoint());
  static_cast<void>(world.loop.run(client.createPort({.nodeUuid = id, .address = "02:00:00:00:00:0a"})));
  CHECK(isDone(world.registered()));
  CHECK(world.ironic.nodeCount() == 1);
  CHECK(world.ironic.has("ns~h"));
}

TEST_CASE("another node with our MAC address is a conflict, a nameless one is ours") {
  World world;
  const std::string other = world.ironic.add({{"name", "wrong-name"}, {"provision_state", "manageable"}});
  ironic::Client client(world.loop.runtime, world.net, World::endpoint());
  static_cast<void>(world.loop.run(client.createPort({.nodeUuid = other, .address = "02:00:00:00:00:0a"})));
  CHECK(refusalOf(world.registerOnce()) == "MAC address 02:00:00:00:00:0A conflicts with existing node wrong-name");

  world.ironic.record(other)["name"] = nullptr;
  CHECK(isDone(world.registered()));
  CHECK(world.host.provisionerId == other);
}

TEST_CASE("a node that Ironic forgot is made again under the host's name") {
  World world;
  static_cast<void>(world.registered());
  const std::string before = world.host.provisionerId;
  world.ironic.loseDatabase();
  world.loop.clock.advance(std::chrono::minutes(2));
  CHECK(isDone(world.registered()));
  CHECK(world.host.provisionerId != before);
  CHECK(world.ironic.nodeCount() == 1);
}

TEST_CASE("every card that inspection found gets a port") {
  World world;
  world.registerData.nics = {{.mac = "02:00:00:00:00:01", .pxe = true}, {.mac = "02:00:00:00:00:02"}};
  static_cast<void>(world.registered());
  std::map<std::string, bool> ports;
  for (const json::Object& port : world.ironic.ports())
    ports[json::textAt(port, {"address"})] = json::boolAt(port, {"pxe_enabled"}).value();
  CHECK(ports == std::map<std::string, bool>{
                     {"02:00:00:00:00:01", true}, {"02:00:00:00:00:02", false}, {"02:00:00:00:00:0a", true}});
}

TEST_CASE("registration survives whatever single request fails") {
  for (const auto kind : {FakeFault::Kind::status, FakeFault::Kind::refused, FakeFault::Kind::lostAnswer})
    for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{
             {"POST", "/nodes"}, {"POST", "/ports"}, {"PATCH", "/nodes"}, {"PUT", "/states/provision"}}) {
      CAPTURE(static_cast<int>(kind), method, path);
      World world;
      world.ironic.failNext(method, path, {.kind = kind, .status = 409, .text = "busy"});
      CHECK(isDone(world.registered()));
      CHECK(world.ironic.state("ns~h") == State::manageable);
      CHECK(world.ironic.nodeCount() == 1);
      CHECK(world.ironic.ports().size() == 1);
    }
}

TEST_CASE("a failure of Ironic is transient, and an unreachable one is not ready") {
  World world;
  static_cast<void>(world.registered());
  world.loop.clock.advance(std::chrono::minutes(2));
  world.ironic.failNext("GET", "/nodes/", {.status = 500}, 1);
  CHECK_THROWS_AS(world.registerOnce(), ProvisionerError);

  world.net.remove("http://ironic:6385");
  try {
    static_cast<void>(world.registerOnce());
    FAIL("registered without Ironic");
  } catch (const ProvisionerError& error) {
    CHECK(error.code() == ProvisionerError::Code::notReady);
    CHECK_THAT(error.what(), Catch::StartsWith("Ironic is not ready: "));
  }
}

TEST_CASE("the body of a new node per scheme", "[pure]") {
  struct Row {
    const char *address, *driver, *boot, *raid;
  };
  for (const Row& row :
       {Row{"ipmi://10.0.0.1", "ipmi", "ipxe", "no-raid"}, Row{"redfish://h/x", "redfish", "ipxe", "redfish"},
        Row{"redfish-virtualmedia://h/x", "redfish", "redfish-virtual-media", "redfish"},
        Row{"idrac-virtualmedia://h/x", "idrac", "idrac-redfish-virtual-media", "idrac-redfish"}}) {
    const json::Object node =
        backend::newNode({.name = "h", .namespace_ = "ns"}, bmc::parseAddress(row.address), {}, {}, {110});
    CHECK(json::textAt(node, {"driver"}) == row.driver);
    CHECK(json::textAt(node, {"boot_interface"}) == row.boot);
    CHECK(json::textAt(node, {"raid_interface"}) == row.raid);
    CHECK(json::textAt(node, {"inspect_interface"}) == "agent");
    CHECK_FALSE(node.contains("deploy_interface"));
  }
}

TEST_CASE("fast inspection on an iDRAC uses the interface its driver has", "[pure]") {
  const json::Object node =
      backend::newNode({}, bmc::parseAddress("idrac-redfish://h/x"), {.fastInspection = true}, {}, {});
  CHECK(json::textAt(node, {"inspect_interface"}) == "idrac-redfish");
}

TEST_CASE("a new node for a host that an agent may have booted says so from the beginning", "[pure]") {
  const auto address = bmc::parseAddress("redfish-virtualmedia://h/x");
  RegisterData data{.state = HostState::deprovisioning,
                    .currentImage = api::Image{.url = "http://images/live.iso", .format = "live-iso"}};
  const auto mark = [&] {
    return json::textAt(backend::newNode({}, address, data, {}, {}), {"extra", "ingot_live_iso"});
  };
  CHECK(mark().empty());
  data.mayRunElsewhere = true;
  CHECK(mark() == "booted");
  CHECK(json::textAt(backend::newNode({}, address, data, {}, {}), {"instance_info", "boot_iso"}) ==
        "http://images/live.iso");
  SECTION("it is being booted") { data.state = HostState::provisioning; }
  SECTION("it was begun") { data.currentImage.reset(); }
  CHECK(mark() == "lent");
  CHECK_FALSE(backend::newNode({}, address, data, {}, {}).contains("instance_info"));
}
