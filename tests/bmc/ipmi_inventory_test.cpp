// What IPMI tells of a machine (spec/bmc.md §15.8): little, and that it is little.
#include "bmc/ipmi/fru_devices.hpp"
#include "bmc/ipmi/lan.hpp"
#include "tests/bmc/ipmi_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::ipmi::FruDevice;
using tests::failed;
using tests::firstContact;
using tests::IpmiBench;
using tests::said;

namespace {

// As ipmitool 1.8.19 tells of a locator.
std::string locator(std::string_view name, std::string_view entity, std::string_view address, std::string_view device,
                    std::string_view type = "10h.0h (IPMI FRU Inventory)") {
  return fmt::format(
      "Device ID              : {}\nEntity ID              : {}\nDevice Access Address  : {}\n{}\n"
      "Channel Number         : 0h\nLUN.Bus                : 0h.0h\nDevice Type.Modifier   : {}\n"
      "OEM                    : 00h\n\n",
      name, entity, address, device, type);
}

const std::string psu2 = locator("PSU2 FRU", "10.2 (Power Supply)", "20h", "Logical FRU Device     : 03h");
const auto noMac = said(" 11 00 00 00 00 00 00\n"), noAddress = said(" 11 00 00 00 00\n");
const std::vector<std::string> neverTold = {"processors", "memory size", "network cards",
                                            "disks",      "BIOS",        "PCIe devices"};

struct IpmiInventoryBench : IpmiBench {
  IpmiInventoryBench() {
    const auto known = said("Device ID : 32\nFirmware Revision : 9.08\nManufacturer Name : Maker\n");
    processes.sessions = {known, known};
  }
  bmc::Inventory take() { return run(driver->inventory->readInventory(bmc::Lane::reconcile)); }
};

}  // namespace

TEST_CASE("the hardware behind IPMI is what its BMC and its FRUs tell, and says what it cannot be", "[ipmi]") {
  IpmiInventoryBench bench;
  bench.processes.next = {
      said(" Product Manufacturer  : ACME\n Product Name : m1\n Product Serial : a secret\n"),
      said(psu2),
      said(" Board Mfg : PowerCo\n Board Product : P1\n Board Part Number : 77\n Board Serial : a secret\n"),
      said(" 11 0a 0B 0c 0d 0e 0f\n"),
      said(" 11 0a 00 00 07\n"),
  };
  CHECK(bench.take() == bmc::Inventory{.manufacturer = "ACME",
                                       .model = "m1",
                                       .serialNumber = "a ***",
                                       .firmware = {{.name = "BMC", .version = "9.08"}},
                                       .modules = {{"PSU2 FRU", "power-supply", "PowerCo", "P1", "77", "a ***"}},
                                       .bmc = {"0a:0b:0c:0d:0e:0f", "10.0.0.7"},
                                       .untold = neverTold});
  CHECK(bench.processes.commands == std::vector<std::string>{firstContact, "mc info", "fru print 0", "-v sdr elist fru",
                                                             "fru print 3", "raw 0x0c 0x02 0x0e 0x05 0x00 0x00",
                                                             "raw 0x0c 0x02 0x0e 0x03 0x00 0x00"});
}

TEST_CASE("a FRU that cannot be read is named, and of a part that has none nothing is said", "[ipmi]") {
  IpmiInventoryBench bench;
  const auto none = GENERATE(said(" Device not present (Unknown (0x81))\n"), failed("Get FRU failed: Invalid command"));
  bench.processes.next = {none, said(psu2), none, noMac, noAddress};
  const auto found = bench.take();
  CHECK(found.manufacturer == "Maker");
  CHECK(found.firmware.size() == 1);
  CHECK(found.modules.empty());
  CHECK(found.bmc == bmc::BmcNetwork{});
  REQUIRE(found.unread.size() == 1);
  CHECK_THAT(found.unread.front(), Catch::StartsWith("fru print 0: "));
}

TEST_CASE("a BMC that falls silent over IPMI is asked for nothing more, and what it told is kept", "[ipmi]") {
  IpmiInventoryBench bench;
  bench.processes.next = {said(" Product Name : m1\n"), failed("Get Auth Capabilities error")};
  const auto found = bench.take();
  CHECK(found.model == "m1");
  REQUIRE(found.unread.size() == 1);
  CHECK_THAT(found.unread.front(), Catch::StartsWith("-v sdr elist fru: "));
  CHECK(bench.processes.commands.back() == "-v sdr elist fru");
}

TEST_CASE("FRUs of parts that a BMC takes too long for, or ipmitool does not read, are named, and the rest is read",
          "[ipmi]") {
  IpmiInventoryBench bench;
  const auto [ending, why] = GENERATE(table<base::ProcessResult, std::string>({
      {{.exitCode = 143, .timedOut = true},
       "-v sdr elist fru: ipmi://10.0.0.1:623 takes longer than 300 s for its sensors, or for its log"},
      {{.exitCode = 0, .standardError = "Get SDR 0012 command failed: Node busy\n"},
       "sdr elist fru: Get SDR 0012 command failed: Node busy"},
  }));
  bench.processes.next = {said(" Product Name : m1\n"), ending, said(" 11 0a 0B 0c 0d 0e 0f\n"), noAddress};
  const auto found = bench.take();
  CHECK(found.unread == std::vector<std::string>{why});
  CHECK(found.bmc.mac == "0a:0b:0c:0d:0e:0f");
}

TEST_CASE("a BMC whose repository is empty lacks no FRU of it", "[ipmi]") {
  IpmiInventoryBench bench;
  bench.processes.next = {
      said(" Product Name : m1\n"),
      {.exitCode = 0, .standardError = "Get SDR 0000 command failed: Requested sensor, data, or record not found\n"},
      said(" 11 0a 0B 0c 0d 0e 0f\n"),
      noAddress};
  CHECK(bench.take().unread.empty());
}

TEST_CASE("a BMC behind IPMI that does not answer has no inventory", "[ipmi]") {
  IpmiBench bench;
  bench.processes.sessions = {failed("Get Auth Capabilities error")};
  CHECK_THROWS_AS(bench.run(bench.driver->inventory->readInventory(bmc::Lane::reconcile)), bmc::Error);
}

TEST_CASE("no more FRUs are read than an inventory holds", "[ipmi]") {
  IpmiInventoryBench bench;
  std::string many;
  for (int i = 1; i < 41; ++i)
    many += locator("DIMM", "32.1 (Memory Device)", "20h", fmt::format("Logical FRU Device     : {:02X}h", i));
  bench.processes.next = {said(" Product Name : m1\n"), said(many), said(" Product Serial : S\n")};
  const auto found = bench.take();
  CHECK(found.modules.size() == bmc::mostModules);
  CHECK(found.unread == std::vector<std::string>{"40 FRU devices: only 16 were looked at"});
  CHECK(bench.processes.commands.size() == 6 + bmc::mostModules);
}

TEST_CASE("FRUs are read of the BMC itself, and of none twice", "[ipmi]") {
  const auto output = psu2 + psu2 + locator("mine", "7.1 (System Board)", "20h", "Logical FRU Device     : 00h") +
                      locator("far", "8.2 (Memory Module)", "30h", "Logical FRU Device     : 04h") +
                      locator("chip", "8.2 (Memory Module)", "20h", "Slave Address          : 05h") +
                      locator("spd", "8.2 (Memory Module)", "20h", "Logical FRU Device     : 06h", "10h.1h (DIMM)") +
                      locator("backplane", "15.1 (Drive Backplane)", "20h", "Logical FRU Device     : 0Ah",
                              "8h.2h (IPMI FRU Inventory)") +
                      "Device ID : cut";
  CHECK(bmc::ipmi::parseFruDevices(output) ==
        std::vector<FruDevice>{{3, "PSU2 FRU", "power-supply"}, {10, "backplane", "board"}});
  CHECK(bmc::ipmi::parseFruDevices("").empty());
}

TEST_CASE("a MAC or an address of another form is none", "[ipmi]") {
  CHECK(bmc::ipmi::parseMac(" 11 aa bb cc dd ee ff\n") == "aa:bb:cc:dd:ee:ff");
  CHECK(bmc::ipmi::parseIpv4(" 11 c0 a8 00 01\n") == "192.168.0.1");
  for (const auto* output : {"", " 11", " 11 aa bb cc dd ee", " 11 aa bb cc dd ee ff 00", " 11 00 00 00 00 00 00",
                             " 11 aa bb cc dd ee fff", "no 11 aa bb cc dd ee"})
    CHECK(bmc::ipmi::parseMac(output).empty());
}
