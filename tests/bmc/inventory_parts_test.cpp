// What an inventory holds beyond what a host is known by: ports and switches, firmware, PCIe devices, health of parts
// (spec/bmc.md §11.1, §17.2, §19.3).
#include "bmc/redfish/firmware_reader.hpp"
#include "tests/bmc/inventory_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::InventoryBench;
using tests::listOf;
using tests::systemResource;

namespace {

constexpr auto withEverything = R"({"Id":"1","SerialNumber":"s1","Manufacturer":"Contoso","BiosVersion":"2.1",
  "MemorySummary":{"TotalSystemMemoryGiB":32},"Memory":{"@odata.id":"/m"},"EthernetInterfaces":{"@odata.id":"/e"},
  "PCIeDevices":[{"@odata.id":"/x/1"},{"@odata.id":"/x/2"}],"Links":{"Chassis":[{"@odata.id":"/c"}]}})";

struct PartsBench : InventoryBench {
  explicit PartsBench(bool expands = false) {
    auto& documents = fake.documents;
    showFirmware(expands);
    documents[systemResource] = withEverything;
    documents["/m"] = documents["/fw"] = listOf({});
    documents["/e"] = listOf({"/e/1"});
    documents["/e/1"] = R"({"Id":"NIC.1","MACAddress":"00:1a:2b:3c:4d:5e"})";
    documents["/c"] = R"({"NetworkAdapters":{"@odata.id":"/a"}})";
    documents["/a"] = listOf({"/a/1"});
    documents["/a/1"] = R"({"Id":"A1","NetworkDeviceFunctions":{"@odata.id":"/f"},"Ports":{"@odata.id":"/a/1/Ports"}})";
    documents["/f"] = listOf({"/f/1"});
    documents["/f/1"] = R"({"Id":"1","Ethernet":{"MACAddress":"00:1A:2B:3C:4D:5E"},
      "Links":{"PhysicalNetworkPortAssignment":{"@odata.id":"/a/1/Ports/1/"}}})";
    documents["/a/1/Ports"] = listOf({"/a/1/Ports/1"});
    documents["/a/1/Ports/1"] = R"({"@odata.id":"/a/1/Ports/1","Id":"1","LinkStatus":"LinkUp","CurrentSpeedGbps":25,
      "Ethernet":{"LLDPReceive":{"ChassisId":"3c:2c:30:10:01:00","PortId":"ethernet1/1/1","SystemName":"leaf1"}}})";
    documents["/x/1"] = documents["/x/2"] = "{}";
    fake.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      asked.emplace_back(request.target);
      co_return;
    };
  }
  [[nodiscard]] std::ptrdiff_t timesAsked(std::string_view target) const { return std::ranges::count(asked, target); }

  std::vector<std::string> asked;
};

// Members of a collection as a service that expands it shows them.
std::string expandedList(std::initializer_list<std::string> members) {
  return fmt::format(R"({{"Members":[{}]}})", fmt::join(members, ","));
}

}  // namespace

TEST_CASE("a network card is known by what its port is plugged into", "[inventory]") {
  PartsBench bench;
  auto& port = bench.fake.documents["/a/1/Ports/1"];
  const bmc::LldpNeighbour neighbour{.switchId = "3c:2c:30:10:01:00", .portId = "ethernet1/1/1", .systemName = "leaf1"};
  bmc::NetworkCard wanted{
      .name = "NIC.1", .mac = "00:1a:2b:3c:4d:5e", .megabitsPerSecond = 25000, .link = "up", .neighbour = neighbour};
  SECTION("by the function behind the port") {}
  SECTION("by the function, in the oldest form") {
    bench.fake.documents["/f/1"] = R"({"Id":"1","Ethernet":{"MACAddress":"00:1A:2B:3C:4D:5E"},
      "PhysicalPortAssignment":{"@odata.id":"/a/1/Ports/1"}})";
  }
  SECTION("by the MAC that the port tells itself") {
    bench.fake.documents["/f/1"] = R"({"Id":"1","Ethernet":{"MACAddress":"00:1A:2B:3C:4D:5E"}})";
    port.insert(port.find("\"LLDPReceive"), R"("AssociatedMACAddresses":["001A2B3C4D5E"],)");
  }
  SECTION("what the interface tells itself counts before") {
    bench.fake.documents["/e/1"] = R"({"Id":"NIC.1","MACAddress":"00:1a:2b:3c:4d:5e","LinkStatus":"NoLink",
      "SpeedMbps":1000,"VLAN":{"VLANEnable":true,"VLANId":4000}})";
    wanted.link = "down";
    wanted.megabitsPerSecond = 1000;
    wanted.vlanId = 4000;
  }
  SECTION("a port without a neighbour") {
    port = R"({"@odata.id":"/a/1/Ports/1","LinkStatus":"LinkDown",
      "Ethernet":{"LLDPReceive":{"ChassisId":"Not Available","PortId":"No Link","SystemName":null}}})";
    wanted.megabitsPerSecond = 0;
    wanted.link = "down";
    wanted.neighbour = {};
  }
  const auto found = bench.take();
  CHECK(found.networkCards == std::vector{wanted});
  CHECK(found.unread.empty());
}

TEST_CASE("a VLAN that is off, or is none, is none", "[inventory]") {
  PartsBench bench;
  bench.fake.documents["/e/1"] =
      fmt::format(R"({{"Id":"1","MACAddress":"00:1a:2b:3c:4d:5e","VLAN":{}}})",
                  GENERATE(R"({"VLANEnable":false,"VLANId":7})", R"({"VLANId":4095})", R"("7")", "null"));
  CHECK(bench.take().networkCards.front().vlanId == 0);
}

TEST_CASE("a BMC that stops answering amid its adapters keeps nothing back but these", "[inventory]") {
  PartsBench bench;
  bench.answer("/a/1/Ports", {.status = 0});
  bench.fake.documents["/m"] = listOf({"/m/1"});
  bench.fake.documents["/m/1"] = R"({"CapacityMiB":1024,"Status":{"State":"Enabled"}})";
  const auto found = bench.take();
  CHECK(found.networkCards.size() == 1);
  CHECK(found.components.size() == 1);
  REQUIRE(found.unread.size() == 1);
  CHECK_THAT(found.unread.front(), Catch::Contains("bmc.example"));
}

TEST_CASE("firmware is read in two requests where collections expand, and one by one where they do not",
          "[inventory]") {
  const bool expands = GENERATE(true, false);
  PartsBench bench(expands);
  const std::string bios = R"({"@odata.id":"/fw/1","Id":"Installed-159-2.1__BIOS.Setup.1-1","Name":"BIOS",
    "Version":"2.1","ReleaseDate":"2025-11-30T00:00:00Z","Updateable":true})";
  const std::string card =
      R"({"@odata.id":"/fw/2","Id":"nic","Name":" NIC ","Version":"22.1","ReleaseDate":"00:00:00Z"})";
  if (expands) {
    bench.fake.documents["/fw"] = expandedList({bios, card});
  } else {
    bench.fake.documents["/fw"] = listOf({"/fw/1", "/fw/2"});
    bench.fake.documents["/fw/1"] = bios;
    bench.fake.documents["/fw/2"] = card;
  }
  const auto found = bench.take();
  CHECK(found.firmware ==
        std::vector<bmc::Firmware>{{.name = "BIOS", .version = "2.1", .releaseDate = "2025-11-30", .updateable = true},
                                   {.name = "NIC", .version = "22.1"}});
  CHECK(found.biosReleaseDate == "2025-11-30");
  CHECK(found.unread.empty());
  CHECK(bench.timesAsked("/fw?$expand=.($levels=1)") == (expands ? 1 : 0));
  CHECK(bench.timesAsked("/fw/1") == (expands ? 0 : 1));
}

TEST_CASE("the BIOS among firmware is known by name or relation, and by its version", "[inventory]") {
  const auto [name, version, isBios] = GENERATE(table<std::string, std::string, bool>({
      {R"("Name":"BIOS")", "2.1", true},
      {R"("Name":"System ROM")", "2.1", true},
      {R"("Id":"UEFI")", "2.1-1.30", true},
      {R"("Id":"x","RelatedItem":[{"@odata.id":"/redfish/v1/Systems/1/Bios/"}])", "2.1", true},
      {R"("Name":"BIOS")", "2.10", false},
      {R"("Name":"BIOS")", "2.0", false},
      {R"("Name":"NIC")", "2.1", false},
      {R"("Id":"Previous-1","Name":"BIOS")", "2.1", false},
      {R"("Id":"UEFI-Pending")", "2.1", false},
      {R"("Name":"Redundant System ROM")", "2.1", false},
  }));
  CAPTURE(name, version);
  const auto firmware = json::decode<bmc::redfish::SoftwareInventory>(
      json::parse(fmt::format(R"({{{},"Version":"{}"}})", name, version)));
  CHECK(bmc::redfish::isBios(firmware, "2.1") == isBios);
  CHECK_FALSE(bmc::redfish::isBios(firmware, ""));
}

TEST_CASE("what is behind a function of a PCIe device has its numbers, in one form", "[inventory]") {
  PartsBench bench;
  auto& documents = bench.fake.documents;
  SECTION("listed by the system itself") {}
  SECTION("in a collection") {
    std::string system = withEverything;
    const std::string_view listed = R"([{"@odata.id":"/x/1"},{"@odata.id":"/x/2"}])";
    documents[systemResource] = system.replace(system.find(listed), listed.size(), R"({"@odata.id":"/x"})");
    documents["/x"] = listOf({"/x/1", "/x/2"});
  }
  documents["/x/1"] = R"({"Id":"1","Name":"GPU 1","Manufacturer":"NVIDIA","Model":"H100","PCIeFunctions":
    {"@odata.id":"/x/1/f"},"Slot":{"Location":{"PartLocation":{"LocationType":"Slot","LocationOrdinalValue":3}}}})";
  documents["/x/1/f"] = listOf({"/x/1/f/0"});
  documents["/x/1/f/0"] = R"({"DeviceClass":"DisplayController","ClassCode":"0x030200","VendorId":"0x10DE",
    "DeviceId":"2330","SubsystemVendorId":"0x10de","SubsystemId":"0x16c1","RevisionId":"0xA1"})";
  documents["/x/2"] = R"({"Id":"SATA","Links":{"PCIeFunctions":[{"@odata.id":"/x/2/f/0"}]}})";
  documents["/x/2/f/0"] = R"({"VendorId":"Intel"})";
  const auto found = bench.take();
  CHECK(found.unread.empty());
  CHECK(found.pcieDevices == std::vector<bmc::PcieDevice>{{.name = "GPU 1",
                                                           .manufacturer = "NVIDIA",
                                                           .model = "H100",
                                                           .slot = "Slot 3",
                                                           .functions = {{.deviceClass = "DisplayController",
                                                                          .classCode = "0x030200",
                                                                          .vendorId = "0x10de",
                                                                          .deviceId = "0x2330",
                                                                          .subsystemVendorId = "0x10de",
                                                                          .subsystemId = "0x16c1",
                                                                          .revision = "0xa1"}}},
                                                          {.name = "SATA", .functions = {{}}}});
}

TEST_CASE("parts that are there have a health of their own, and empty slots have none", "[inventory]") {
  PartsBench bench;
  auto& documents = bench.fake.documents;
  documents["/m"] = listOf({"/m/1", "/m/2", "/m/3"});
  documents["/m/1"] = R"({"@odata.id":"/m/1","Name":"Memory","DeviceLocator":"DIMM A1","CapacityMiB":16384,
    "Status":{"State":"Enabled","Health":"Critical"}})";
  documents["/m/2"] = R"({"DeviceLocator":"DIMM A2","Status":{"State":"Absent"}})";
  documents["/m/3"] = R"({"DeviceLocator":"DIMM A3","CapacityMiB":null,"Status":{"State":"Enabled","Health":null}})";
  CHECK(bench.take().components ==
        std::vector<bmc::Component>{
            {.path = "/m/1", .kind = "memory", .name = "DIMM A1", .state = "Enabled", .health = "Critical"}});
}

TEST_CASE("each part that a host is known without may fail, and is named then", "[inventory]") {
  PartsBench bench;
  const std::string path = GENERATE("/m", "/u", "/fw", "/x/1", "/a", "/a/1/Ports/1");
  const int status = GENERATE(0, 404, 500);
  CAPTURE(path, status);
  bench.answer(path, {.status = status});
  const auto found = bench.take();
  CHECK(found.serialNumber == "s1");
  CHECK(found.networkCards.size() == 1);
  REQUIRE_FALSE(found.unread.empty());
  CHECK_THAT(found.unread.front(), Catch::Contains(status == 0 ? "bmc.example" : path));
}

TEST_CASE("so much is read as a machine can have, whatever a BMC lists", "[inventory]") {
  PartsBench bench(true);
  std::string firmware, devices, functions;
  for (int i = 0; i < 600; ++i) {
    firmware += fmt::format(R"({}{{"Id":"{}","Version":"1"}})", i == 0 ? "" : ",", i);
    devices += fmt::format(R"({}{{"@odata.id":"/x/1?{}"}})", i == 0 ? "" : ",", i);
    functions += fmt::format(R"({}{{"Id":"{}","VendorId":"0x8086"}})", i == 0 ? "" : ",", i);
  }
  bench.fake.documents["/fw"] = fmt::format(R"({{"Members":[{}]}})", firmware);
  bench.fake.documents["/x/1"] = R"({"PCIeFunctions":{"@odata.id":"/x/1/f"}})";
  bench.fake.documents["/x/1/f"] = fmt::format(R"({{"Members":[{}]}})", functions);
  std::string system = withEverything;
  bench.fake.documents[systemResource] =
      system.replace(system.find(R"([{"@odata.id":"/x/1")"),
                     std::string_view(R"([{"@odata.id":"/x/1"},{"@odata.id":"/x/2"}])").size(), "[" + devices + "]");
  const auto found = bench.take();
  CHECK(found.firmware.size() == bmc::mostFirmware);
  CHECK(found.pcieDevices.size() == bmc::mostPcieDevices);
  CHECK(found.pcieDevices.front().functions.size() == bmc::mostPcieFunctions);
  CHECK(std::ranges::count(found.unread, "more than 200 pieces of firmware: the rest was left out") == 1);
  CHECK(std::ranges::count(found.unread, "512 PCIe devices: only 64 were looked at") == 1);
}

TEST_CASE("a BMC is asked for minutes alone about what a host is known without", "[inventory]") {
  PartsBench bench;
  std::string members;
  for (int i = 0; i < 150; ++i) members += fmt::format(R"({}{{"@odata.id":"/fw/1?{}"}})", i == 0 ? "" : ",", i);
  bench.fake.documents["/fw"] = fmt::format(R"({{"Members":[{}]}})", members);
  bench.fake.documents["/fw/1"] = R"({"Id":"1"})";
  std::string why;
  SECTION("that is slow") {
    why = "there was no time";
    bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(3s); };
  }
  SECTION("that is busy") {
    why = "HTTP 503";
    bench.answer("/fw/1", {.status = 503});
  }
  const auto start = bench.clock.now();
  const auto found = bench.take();
  CHECK(bench.clock.now() - start > 2min);
  CHECK(bench.clock.now() - start < 6min);
  CHECK(found.firmware.size() < 100);
  CHECK(std::ranges::any_of(found.unread, [&](const auto& told) { return told.find(why) != told.npos; }));
}

TEST_CASE("nothing of what an inventory holds repeats a password", "[inventory]") {
  PartsBench bench(true);
  auto& documents = bench.fake.documents;
  documents["/fw"] = expandedList({R"({"Id":"a s3cret","Version":"s3cret"})"});
  documents["/x/1"] = R"({"Name":"s3cret","Model":"s3cret","PCIeFunctions":{"@odata.id":"/x/1/f"}})";
  documents["/x/1/f"] = expandedList({R"({"Id":"1","DeviceClass":"s3cret"})"});
  documents["/m"] =
      expandedList({R"({"@odata.id":"/s3cret","Name":"s3cret","CapacityMiB":1,"Status":{"State":"s3cret"}})"});
  auto& port = documents["/a/1/Ports/1"];
  port.replace(port.find("leaf1"), 5, "s3cret");
  documents["/a/1/Ports"] = expandedList({port});
  documents["/f"] = expandedList({documents["/f/1"]});
  const auto found = bench.take();
  CHECK(found.networkCards.front().neighbour.systemName == "***");
  REQUIRE(found.firmware.size() == 1);
  REQUIRE(found.components.size() == 1);
  CHECK(json::serialize(json::encode(found)).find("s3cret") == std::string::npos);
}
