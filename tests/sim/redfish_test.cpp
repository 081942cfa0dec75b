#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using tests::SimBench;
using tests::systemPath;
using namespace std::chrono_literals;

namespace {
constexpr auto cdPath = "/redfish/v1/Managers/1/VirtualMedia/Cd";
}  // namespace

TEST_CASE("the tree leads from the root to one system, one manager and one chassis") {
  SimBench bench;
  const auto root = bench.get("/redfish/v1/");
  for (const auto* name : {"Systems", "Managers", "Chassis"}) {
    const auto collection = bench.get(json::textAt(root, {name, "@odata.id"}));
    REQUIRE(json::intAt(collection, {"Members@odata.count"}) == 1);
    const auto member = json::textAt(collection.at("Members").at(0), {"@odata.id"});
    REQUIRE(json::textAt(bench.get(member), {"@odata.id"}) == member);
  }
}

TEST_CASE("every link in the tree leads somewhere") {
  SimBench bench;
  std::vector<std::string> open{"/redfish/v1/"};
  std::set<std::string> seen;
  std::function<void(const json::Value&)> collect = [&](const json::Value& value) {
    if (value.is_array())
      for (const auto& item : value.get_array()) collect(item);
    if (!value.is_object()) return;
    if (const auto id = json::stringAt(value, {"@odata.id"})) open.emplace_back(*id);
    for (const auto& [name, member] : value.get_object()) collect(member);
  };
  while (!open.empty()) {
    const auto path = open.back();
    open.pop_back();
    if (!seen.insert(path).second) continue;
    INFO(path);
    const auto response = bench.send("GET", path);
    REQUIRE(response.status == 200);
    REQUIRE_FALSE(response.headers.get("ETag").empty());
    collect(json::parse(response.body));
  }
  REQUIRE(seen.size() > 25);
}

TEST_CASE("the resources say what the machine is made of") {
  SimBench bench;
  const auto& spec = bench.machine.spec();
  const auto first = [&](const std::string& path) {
    return bench.get(json::textAt(bench.get(path).at("Members").at(0), {"@odata.id"}));
  };
  CHECK(json::textAt(first(std::string(systemPath) + "/EthernetInterfaces"), {"MACAddress"}) == spec.nics.front().mac);
  const auto storage = first(std::string(systemPath) + "/Storage");
  const auto drive = bench.get(json::textAt(storage.at("Drives").at(0), {"@odata.id"}));
  CHECK(json::intAt(drive, {"CapacityBytes"}) == static_cast<std::int64_t>(bench.machine.disks.front().size()));
  CHECK(json::textAt(bench.get("/redfish/v1/Managers/1"), {"FirmwareVersion"}) == "2.0.0");
  CHECK(json::textAt(first("/redfish/v1/UpdateService/FirmwareInventory"), {"Version"}) == "1.0.0");
  const auto thermal = bench.get("/redfish/v1/Chassis/1/Thermal");
  CHECK(json::intAt(thermal.at("Temperatures").at(0), {"ReadingCelsius"}) == 22);
  CHECK(json::intAt(thermal.at("Fans").at(0), {"Reading"}) == 0);
  CHECK(json::intAt(bench.get("/redfish/v1/Chassis/1/Power").at("PowerSupplies").at(0), {"LineInputVoltage"}) == 230);
  CHECK(json::textAt(bench.get(std::string(systemPath) + "/Bios"), {"Attributes", "BootMode"}) == "Uefi");
}

TEST_CASE("a reset is accepted at once and done a moment later") {
  SimBench bench;
  REQUIRE(bench.reset("On") == 204);
  REQUIRE(bench.power() == "Off");
  bench.pass(200ms);
  REQUIRE(bench.power() == "On");
  REQUIRE(bench.reset("GracefulShutdown") == 204);
  bench.pass(999ms);
  REQUIRE(bench.power() == "On");
  bench.pass(1ms);
  REQUIRE(bench.power() == "Off");
}

TEST_CASE("an unknown reset type is refused") {
  SimBench bench;
  REQUIRE(bench.reset("Explode") == 400);
  REQUIRE(bench.send("POST", "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", "{}").status == 400);
}

TEST_CASE("a boot override holds for one boot, or until it is changed") {
  SimBench bench;
  REQUIRE(bench
              .send("PATCH", systemPath,
                    R"({"Boot":{"BootSourceOverrideTarget":"BiosSetup","BootSourceOverrideEnabled":"Once"}})")
              .status == 204);
  bench.reset("On");
  bench.pass(1s);
  REQUIRE(bench.machine.bootedFrom() == sim::BootDevice::biosSetup);
  REQUIRE(json::textAt(bench.get(systemPath), {"Boot", "BootSourceOverrideEnabled"}) == "Disabled");

  bench.send("PATCH", systemPath,
             R"({"Boot":{"BootSourceOverrideTarget":"Hdd","BootSourceOverrideEnabled":"Continuous"}})");
  for (int boot = 0; boot < 2; ++boot) {
    bench.reset("ForceRestart");
    bench.pass(1s);
    REQUIRE(bench.machine.bootedFrom() == sim::BootDevice::hdd);
  }
}

TEST_CASE("a boot override that is not allowed changes nothing") {
  SimBench bench;
  REQUIRE(bench
              .send("PATCH", systemPath,
                    R"({"Boot":{"BootSourceOverrideEnabled":"Once","BootSourceOverrideTarget":"Tape"}})")
              .status == 400);
  REQUIRE(bench.machine.boot.enabled == sim::OverrideEnabled::disabled);
}

TEST_CASE("a stale ETag is refused, a fresh one and * pass") {
  SimBench bench;
  const std::string change = R"({"Boot":{"BootSourceOverrideTarget":"Pxe","BootSourceOverrideEnabled":"Once"}})";
  const auto etag = bench.send("GET", systemPath).headers.get("ETag");
  REQUIRE(bench.send("PATCH", systemPath, change, {{"If-Match", etag}}).status == 204);
  REQUIRE(bench.send("PATCH", systemPath, change, {{"If-Match", etag}}).status == 412);
  REQUIRE(bench.send("PATCH", systemPath, change, {{"If-Match", "*"}}).status == 204);
}

TEST_CASE("virtual media is inserted once and ejected") {
  SimBench bench;
  const std::string insert = std::string(cdPath) + "/Actions/VirtualMedia.InsertMedia";
  REQUIRE(bench.send("POST", insert, R"({"Image":"http://files/boot.iso"})").status == 204);
  REQUIRE(json::boolAt(bench.get(cdPath), {"Inserted"}) == true);
  REQUIRE(bench.send("POST", insert, R"({"Image":"http://files/other.iso"})").status == 400);
  REQUIRE(bench.send("POST", std::string(cdPath) + "/Actions/VirtualMedia.EjectMedia").status == 204);
  REQUIRE(json::boolAt(bench.get(cdPath), {"Inserted"}) == false);
  REQUIRE(bench.send("PATCH", cdPath, R"({"Image":"http://files/boot.iso","Inserted":true})").status == 204);
  REQUIRE(bench.machine.cd.image == "http://files/boot.iso");
}

TEST_CASE("a session's token opens the tree until it is closed") {
  SimBench bench;
  bench.anonymous = true;
  REQUIRE(bench.send("GET", systemPath).status == 401);
  REQUIRE(bench.send("GET", "/redfish/v1").status == 200);
  const auto login =
      bench.send("POST", "/redfish/v1/SessionService/Sessions", R"({"UserName":"admin","Password":"ingot-sim"})");
  REQUIRE(login.status == 201);
  const net::Headers token{{"X-Auth-Token", login.headers.get("X-Auth-Token")}};
  REQUIRE(bench.send("GET", systemPath, {}, token).status == 200);
  REQUIRE(bench.send("DELETE", login.headers.get("Location"), {}, token).status == 204);
  REQUIRE(bench.send("GET", systemPath, {}, token).status == 401);
}

TEST_CASE("a session that nobody uses expires, and there are few of them") {
  SimBench bench;
  const auto login = [&] {
    return bench.send("POST", "/redfish/v1/SessionService/Sessions", R"({"UserName":"admin","Password":"ingot-sim"})");
  };
  const auto first = login().headers.get("X-Auth-Token");
  for (int i = 1; i < 8; ++i) REQUIRE(login().status == 201);
  REQUIRE(login().status == 503);
  bench.pass(31min);
  REQUIRE(login().status == 201);
  REQUIRE(bench.send("GET", systemPath, {}, {{"X-Auth-Token", first}}).status == 401);
}

TEST_CASE("BIOS settings wait for the next power-on") {
  SimBench bench;
  const std::string settings = "/redfish/v1/Systems/1/Bios/Settings";
  REQUIRE(bench.send("PATCH", settings, R"({"Attributes":{"SriovGlobalEnable":"Enabled"}})").status == 204);
  REQUIRE(bench.send("PATCH", settings, R"({"Attributes":{"Nonsense":"1"}})").status == 400);
  REQUIRE(json::textAt(bench.get("/redfish/v1/Systems/1/Bios"), {"Attributes", "SriovGlobalEnable"}) == "Disabled");
  bench.reset("On");
  bench.pass(1s);
  REQUIRE(json::textAt(bench.get("/redfish/v1/Systems/1/Bios"), {"Attributes", "SriovGlobalEnable"}) == "Enabled");
}

TEST_CASE("a firmware update is a task that ends by itself") {
  SimBench bench;
  const auto started = bench.send("POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate",
                                  R"({"ImageURI":"http://files/bios-1.9.bin"})");
  REQUIRE(started.status == 202);
  const auto monitor = started.headers.get("Location");
  REQUIRE(bench.send("GET", monitor).status == 202);
  bench.pass(3s);
  const auto ended = bench.send("GET", monitor);
  REQUIRE(ended.status == 200);
  REQUIRE(json::textAt(json::parse(ended.body), {"TaskState"}) == "Completed");
  REQUIRE(json::textAt(bench.get(systemPath), {"BiosVersion"}) == "1.9");
}

TEST_CASE("a drive is erased by a task while the server has power, and by nothing that it does not know") {
  SimBench bench;
  const std::string drive = std::string(systemPath) + "/Storage/1/Drives/0";
  const auto erase = [&](const std::string& type) {
    return bench.send("POST", drive + "/Actions/Drive.SecureErase",
                      fmt::format(R"({{"SanitizationType":"{}"}})", type));
  };
  bench.machine.disks.front().write(0, "data");
  CHECK(erase("CryptographicErase").status == 503);
  bench.reset("On");
  bench.pass(1s);
  CHECK(erase("Shred").status == 400);
  const auto begun = erase("CryptographicErase");
  REQUIRE(begun.status == 202);
  CHECK(bench.get(drive).at("Operations").as_array().size() == 1);
  CHECK(erase("CryptographicErase").status == 409);
  CHECK(bench.machine.disks.front().read(0, 4) == "data");
  bench.pass(4s);
  CHECK(json::textAt(bench.get(begun.headers.get("Location")), {"TaskState"}) == "Completed");
  CHECK(bench.get(drive).at("Operations").as_array().empty());
  CHECK(bench.machine.disks.front().read(0, 4) == std::string(4, '\0'));
}

TEST_CASE("what is not there, not allowed or not understood is refused in Redfish's words") {
  SimBench bench;
  const auto missing = bench.send("GET", "/redfish/v1/Systems/2");
  REQUIRE(missing.status == 404);
  REQUIRE(json::textAt(json::parse(missing.body), {"error", "code"}) == "Base.1.18.ResourceMissingAtURI");
  REQUIRE(bench.send("DELETE", systemPath).status == 405);
  REQUIRE(bench.send("PATCH", systemPath, "{").status == 400);
  REQUIRE(bench.send("GET", std::string(systemPath) + "?$expand=.").status == 501);
}

TEST_CASE("the journal says who changed what, and what the machine then did") {
  SimBench bench;
  bench.reset("On");
  bench.pass(1s);
  const auto entries = bench.journal.since(0);
  REQUIRE(entries.size() >= 3);
  REQUIRE(entries[0].sender == "agent");
  REQUIRE(entries[0].user == "admin");
  REQUIRE(entries[0].action + " " + entries[0].detail == "reset On");
  REQUIRE(entries[1].sender + " " + entries[1].action + " " + entries[1].detail == "machine power on");
  REQUIRE(sim::senderOf("python-requests/2.32") == "ironic");
  REQUIRE(sim::senderOf("curl/8") == "curl/8");
}

TEST_CASE("what was read with a tag is not sent again as long as it stays") {
  SimBench bench;
  for (const auto* path : {"/redfish/v1/Systems/1", "/redfish/v1/Managers/1"}) {
    const auto first = bench.send("GET", path);
    const std::string tag(first.headers.get("ETag"));
    CHECK(json::textAt(json::parse(first.body), {"@odata.etag"}) == tag);
    bench.pass(1h);
    const auto again = bench.send("GET", path, {}, {{"If-None-Match", tag}});
    CHECK(again.status == 304);
    CHECK(again.body.empty());
  }
  const std::string tag(bench.send("GET", systemPath).headers.get("ETag"));
  REQUIRE(bench.reset("On") == 204);
  bench.pass(10s);
  CHECK(bench.send("GET", systemPath, {}, {{"If-None-Match", tag}}).status == 200);
}

TEST_CASE("another version of OData is refused, and what a path takes is told") {
  SimBench bench;
  CHECK(bench.send("GET", "/redfish/v1/", {}, {{"OData-Version", "3.0"}}).status == 412);
  for (const auto* method : {"GET", "DELETE"})
    CHECK(bench.send(method, "/redfish/v1/SessionService/Sessions").headers.get("Allow") == "GET, HEAD, POST");
}
