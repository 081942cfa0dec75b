// ingotctl sensors, logs, inventory.
#include "api/hardwaredata/hardware_data.hpp"
#include "tests/cli/world.hpp"

using namespace ingot;
using namespace ingot::cli::tests;
using Catch::Contains;

namespace {

net::HttpResponse answer(int status, std::string body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

std::string sensorsOf(const std::string& name) {
  return fmt::format(
      R"({{"kind":"HostSensors","apiVersion":"readings.ingot.dev/v1alpha1","metadata":{{"name":"{}","namespace":"metal3"}},
      "observedAt":"2020-01-01T00:00:00Z","bootProgress":"OSRunning","readings":[{{"name":"Inlet","kind":"temperature","unit":"Cel","value":23.5,
      "context":"Intake","health":"OK","thresholds":{{"ln":5,"un":38,"uc":42}}}},
      {{"name":"Fan\u001b[2J","kind":"fan","unit":"RPM","value":7200,"thresholds":{{"lc":600}}}}],
      "parts":[{{"name":"PS2","kind":"power-supply","state":"UnavailableOffline","health":"Critical"}}],
      "unread":["/p: HTTP 500"]}})",
      name);
}

std::string logsOf(const std::string& name) {
  return fmt::format(
      R"({{"kind":"HostLogs","metadata":{{"name":"{}"}},"logs":[{{"log":"/redfish/v1/Systems/1/LogServices/SEL/","entries":[
      {{"id":"1","created":"2026-11-20T10:02:00Z","severity":"Critical","message":"hot"}},{{"id":"2","message":"?"}}]}},
      {{"log":"Lclog","entries":[{{"id":"9","created":"2026-11-20T10:01:00Z","severity":"OK","message":"on"}}]}}]}})",
      name);
}

// A coordinator's readings, below `path`s of metal3.
std::string inventoryOf(const std::string& name) {
  return fmt::format(R"({{"kind":"HostInventory","metadata":{{"name":"{}"}},"observedAt":"2020-01-01T00:00:00Z",
      "disks":[{{"name":"Disk.0","kind":"NVME","model":"PM9A3","serialNumber":"d0","bytes":960197124096}},{{"name":"Bay 2"}}],
      "networkCards":[{{"name":"NIC.1","mac":"00:1a:2b:3c:4d:5e","link":"down"}},{{"name":"NIC.2"}}],
      "firmware":[{{"name":"BIOS\u001b[2J","version":"2.1","releaseDate":"2025-11-30","updateable":true}}],
      "pcieDevices":[{{"name":"GPU 1","model":"H100","slot":"Slot 3","functions":[{{"deviceClass":"DisplayController",
      "vendorId":"0x10de","deviceId":"0x2330"}}]}}],
      "components":[{{"path":"/m/1","kind":"memory","name":"DIMM A1","health":"Critical"}},
      {{"path":"/m/2","kind":"memory","name":"DIMM A2","health":"OK"}},{{"path":"/m/3","kind":"memory"}}],
      "unread":["/p: HTTP 500"]}})",
                     name);
}

// As over IPMI.
constexpr auto littleKnown = R"({"kind":"HostInventory","metadata":{"name":"b"},"observedAt":"2020-01-01T00:00:00Z",
    "manufacturer":"ACME","model":"m1","serialNumber":"S1","firmware":[{"name":"BMC","version":"9.08"}],
    "modules":[{"name":"PSU2","kind":"power-supply","manufacturer":"PowerCo","model":"P1","partNumber":"77"}],
    "bmc":{"mac":"0a:0b:0c:0d:0e:0f","address":"10.0.0.7"},"untold":["processors","disks"]})";

std::optional<net::HttpResponse> readings(const net::ServerRequest& request) {
  const std::string_view prefix = "/apis/readings.ingot.dev/v1alpha1/namespaces/metal3/hosts/";
  if (!request.target.starts_with(prefix)) return std::nullopt;
  const auto rest = request.target.substr(prefix.size());
  if (rest == "a/sensors" || rest == "b/sensors") return answer(200, sensorsOf(rest.substr(0, 1)));
  if (rest == "a/logs") return answer(200, logsOf("a"));
  if (rest == "a/inventory") return answer(200, inventoryOf("a"));
  if (rest == "b/inventory") return answer(200, littleKnown);
  return answer(404, R"({"kind":"Status","reason":"NotFound","message":"of host c no agent has told","code":404})");
}

}  // namespace

TEST_CASE("why something is not read is said beside it", "[cli][readings]") {
  World w;
  w.hosts({"a"});
  std::string notRead = R"("notRead":{"class":"busy","detail":"the BMC is busy","since":"2020-01-01T00:00:00Z"},)";
  w.door.instead = [&](const net::ServerRequest& request) {
    auto found = readings(request);
    if (found && found->status == 200) found->body.insert(1, notRead);
    return found;
  };
  for (const auto* what : {"sensors", "logs", "inventory"}) {
    INFO(what);
    w.terminal.notes.clear();
    CHECK(w.run({what, "a"}) == 0);
    CHECK_THAT(w.terminal.notes,
               Contains("a: ") && Contains("cannot be read, for ") && Contains(": the BMC is busy (busy)"));
  }
  notRead = R"("notRead":{"class":"timeout","detail":"no answer"},)";
  w.terminal.notes.clear();
  CHECK(w.run({"logs", "a"}) == 0);
  CHECK_THAT(w.terminal.notes, Contains("a: cannot be read: no answer (timeout)"));
}

TEST_CASE("why the hardware of a host was never read is said where it would stand", "[cli][readings]") {
  World w;
  w.hosts({"a"});
  const auto [causes, isSaid] = GENERATE(table<std::string, bool>(
      {{R"([{"reason":"NotRead"}])", true}, {R"([{"reason":"Another"}])", false}, {"[]", false}}));
  w.door.instead = [causes = causes](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.target.ends_with("/inventory")) return std::nullopt;
    return answer(404, fmt::format(R"x({{"kind":"Status","reason":"NotFound","code":404,
        "message":"no JSON (protocol)","details":{{"causes":{}}}}})x",
                                   causes));
  };
  CHECK(w.run({"inventory", "a"}) == 3);
  CHECK(Contains("no JSON (protocol)").match(w.terminal.notes) == isSaid);
}

TEST_CASE("sensors of hosts as a table", "[cli][readings]") {
  World w;
  w.door.instead = readings;
  CHECK(w.run({"sensors", "a"}) == 0);
  CHECK(w.terminal.printed ==
        "SENSOR         KIND           READING              RANGE                  HEALTH     PLACE\n"
        "Inlet          temperature    23.5 °C              from 5 to 38 (to 42)   OK         Intake\n"
        "Fan\\u001b[2J   fan            7200 RPM             (from 600)             -          -\n"
        "PS2            power-supply   UnavailableOffline   -                      Critical   -\n");
  CHECK_THAT(w.terminal.notes,
             Contains("a: read ") && Contains("ago; boot progress: OSRunning; not read: /p: HTTP 500"));
  CHECK(w.run({"sensors", "[a,c,b]"}) == 3);
  CHECK_THAT(w.terminal.printed, Contains("HOST   SENSOR") && Contains("b      Inlet"));
  CHECK_THAT(w.terminal.errors, Contains("of host c no agent has told"));
  CHECK(w.run({"sensors", "a", "-o", "json"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("\"HostSensors\""));
}

TEST_CASE("logs come in the order in which things happened", "[cli][readings]") {
  World w;
  w.door.instead = readings;
  CHECK(w.run({"logs", "a"}) == 0);
  CHECK(w.terminal.printed ==
        "TIME                   SEVERITY   LOG     ID   MESSAGE\n"
        "2026-11-20T10:01:00Z   OK         Lclog   9    on\n"
        "2026-11-20T10:02:00Z   Critical   SEL     1    hot\n"
        "-                      -          SEL     2    ?\n");
  CHECK(w.terminal.notes.empty());
  CHECK(w.run({"logs", "a", "-o", "yaml"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("kind: HostLogs"));
}

TEST_CASE("a coordinator can be asked itself, and is sent no credentials", "[cli][readings]") {
  World w;
  CHECK(w.run({"sensors", "a"}) == 1);  // this server knows of no such group
  CHECK_THAT(w.terminal.errors, Contains("--coordinator http://127.0.0.1:PORT"));
  bool hasCredentials = false;
  Door other;
  other.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    hasCredentials = hasCredentials || request.headers.find("Authorization");
    if (auto found = readings(request)) return found;
    return answer(404, "not found");
  };
  w.loopback.serve("http://127.0.0.1:8085", other);
  w.file("kubeconfig", fmt::format("current-context: c\nclusters: [{{name: k, cluster: {{server: \"{}\"}}}}]\n"
                                   "users: [{{name: u, user: {{token: geheim}}}}]\n"
                                   "contexts: [{{name: c, context: {{cluster: k, user: u, namespace: metal3}}}}]\n",
                                   World::origin));
  CHECK(w.run({"sensors", "a", "--coordinator", "http://127.0.0.1:8085"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("Inlet"));
  CHECK_FALSE(hasCredentials);
  w.environment["INGOT_COORDINATOR"] = "http://127.0.0.1:8085";
  CHECK(w.run({"logs", "a"}) == 0);
  CHECK(w.run({"logs", "a", "-n", "elsewhere"}) == 1);
  CHECK_THAT(w.terminal.errors, Contains("address of a coordinator's metrics"));
  CHECK(w.run({"logs", "a", "--coordinator", "nonsense"}) == 2);
  CHECK_THAT(w.terminal.errors, Contains("--coordinator"));
  w.loopback.remove("http://127.0.0.1:8085");
}

TEST_CASE("an inventory is what the last inspection has found", "[cli][readings]") {
  World w;
  w.hosts({"a", "b"});
  api::HardwareData data;
  data.metadata.name = "a";
  data.metadata.namespace_ = "metal3";
  data.spec.hardware = api::HardwareDetails{};
  data.spec.hardware->ramMebibytes = 65536;
  data.spec.hardware->cpu.count = 8;
  w.loop.run(w.client().create(std::move(data)));
  CHECK(w.run({"inventory", "a"}) == 0);
  CHECK_THAT(w.terminal.printed, Catch::StartsWith("a:\n") && Contains("Memory   65536 MiB"));
  CHECK(w.run({"inventory", "a", "-o", "yaml"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("kind: HardwareData"));
  CHECK(w.run({"inventory", "b"}) == 3);
  CHECK_THAT(w.terminal.errors, Contains("host b has not been inspected yet"));
}

TEST_CASE("an inventory shows what an agent has read beyond it, where a coordinator knows that", "[cli][readings]") {
  World w;
  w.hosts({"a", "c"});
  for (const auto* name : {"a", "c"}) {
    api::HardwareData data;
    data.metadata.name = name;
    data.metadata.namespace_ = "metal3";
    data.spec.hardware = api::HardwareDetails{};
    data.spec.hardware->firmware.bios = {.date = "2025-11-30", .vendor = "ACME", .version = "2.1"};
    data.spec.hardware->nics = {{.name = "NIC.1",
                                 .mac = "00:1a:2b:3c:4d:5e",
                                 .vlanId = 7,
                                 .lldp = api::Lldp{.portID = "eth1", .switchSystemName = "leaf1"}}};
    w.loop.run(w.client().create(std::move(data)));
  }
  w.door.instead = readings;
  CHECK(w.run({"inventory", "a"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("  BIOS     ACME 2.1 (2025-11-30)\n") &&
                                     Contains("  NIC      NIC.1 00:1a:2b:3c:4d:5e VLAN 7 at switch leaf1 port eth1\n"
                                              "  Drive    Disk.0 960 GB NVME PM9A3 d0\n"
                                              "  Drive    Bay 2\n"
                                              "  Link     NIC.1 00:1a:2b:3c:4d:5e down\n"
                                              "  Firmware BIOS\\u001b[2J 2.1 (2025-11-30)\n"
                                              "  PCIe     GPU 1 H100 (Slot 3) DisplayController (0x10de 0x2330)\n"
                                              "  Critical memory DIMM A1 (/m/1)\n"));
  CHECK_THAT(w.terminal.printed, !Contains("DIMM A2"));
  CHECK_THAT(w.terminal.notes, Contains("a: read ") && Contains("not read: /p: HTTP 500"));
  CHECK(w.run({"inventory", "c"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("leaf1") && !Contains("Firmware"));
}

TEST_CASE("of a host that was not inspected an inventory shows what an agent has read, and what nobody tells",
          "[cli][readings]") {
  World w;
  w.hosts({"b", "c"});
  w.door.instead = readings;
  CHECK(w.run({"inventory", "b"}) == 0);
  CHECK(w.terminal.printed ==
        "b:\n"
        "  FRU      ACME m1, serial S1\n"
        "  FRU      PSU2 (power-supply) PowerCo P1, part 77\n"
        "  Not told processors, disks: its BMC has no words for them\n"
        "  BMC      0a:0b:0c:0d:0e:0f 10.0.0.7\n"
        "  Firmware BMC 9.08\n");
  CHECK_THAT(w.terminal.notes, Contains("b: read "));
  for (const auto& asked : {std::vector<std::string>{"inventory", "c"}, {"inventory", "b", "-o", "json"}}) {
    CHECK(w.run(asked) == 3);
    CHECK_THAT(w.terminal.errors, Contains("has not been inspected yet"));
  }
}
