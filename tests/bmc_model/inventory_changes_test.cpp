// What counts as another hardware.
#include "bmc/model/inventory_changes.hpp"

#include <catch2/catch.hpp>

using namespace ingot::bmc;
using Texts = std::vector<std::string>;

namespace {

Inventory machine() {
  return {.manufacturer = "Contoso",
          .model = "m1",
          .serialNumber = "S1",
          .biosVersion = "2.1",
          .hostname = "n1",
          .memoryMib = 64 * 1024,
          .processors = {.model = "Xeon", .threads = 64},
          .networkCards = {{.name = "NIC.1", .mac = "00:1a:2b:3c:4d:5e", .model = "X710", .link = "up"}},
          .disks = {{.name = "Disk.0", .model = "ssd", .serialNumber = "d0", .bytes = 960'197'124'096},
                    {.name = "Disk.1", .model = "ssd", .serialNumber = "d1", .bytes = 960'197'124'096}},
          .firmware = {{.name = "BIOS", .version = "2.1"}, {.name = "CPLD", .version = "1"}},
          .pcieDevices = {{.name = "RAID", .slot = "3"}, {.name = "RAID", .slot = "3"}},
          .components = {{.kind = "memory", .name = "DIMM A1", .health = "OK"},
                         {.kind = "drive", .name = "Disk.0", .health = "OK"}}};
}

InventoryChanges after(const std::function<void(Inventory&)>& change) {
  auto now = machine();
  change(now);
  return changesBetween(machine(), now);
}

}  // namespace

TEST_CASE("parts that come, go and change are told by what people know them by") {
  struct Row {
    std::function<void(Inventory&)> change;
    Texts texts;
    bool isLess = false;
  };
  const Row rows[] = {
      {[](Inventory& now) { now.disks.pop_back(); }, {"disk d1 (ssd, 894 GiB) is gone"}, true},
      {[](Inventory& now) { now.disks[1].serialNumber = "d2"; },
       {"disk d1 (ssd, 894 GiB) is gone", "disk d2 (ssd, 894 GiB) is new"},
       true},
      {[](Inventory& now) { now.networkCards.push_back({.name = "NIC.2"}); }, {"network card NIC.2 is new"}},
      {[](Inventory& now) { now.pcieDevices.pop_back(); }, {"PCIe device RAID (slot 3) is gone"}, true},
      {[](Inventory& now) { now.memoryMib = 32 * 1024; }, {"memory is 32 GiB, it was 64 GiB"}, true},
      {[](Inventory& now) { now.memoryMib = 64 * 1024 + 1; }, {"memory is 65537 MiB, it was 65536 MiB"}},
      {[](Inventory& now) { now.processors.threads = 32; }, {"the processors have 32 threads, they had 64"}, true},
      {[](Inventory& now) { now.components[0].name = "DIMM B1"; },
       {"memory DIMM A1 is gone", "memory DIMM B1 is new"},
       true},
      {[](Inventory& now) { now.pcieDevices.push_back({.name = "GPU", .slot = "4"}); },
       {"PCIe device GPU (slot 4) is new"}},
      {[](Inventory& now) { now.biosVersion = now.firmware[0].version = "2.2"; }, {"BIOS is 2.2, it was 2.1"}},
      {[](Inventory& now) { now.firmware[1].version = "2"; }, {"firmware of CPLD is 2, it was 1"}},
      {[](Inventory& now) { now.serialNumber = "S2"; }, {"serial number is S2, it was S1"}},
  };
  for (const auto& row : rows) {
    const auto changes = after(row.change);
    CHECK(changes.texts == row.texts);
    CHECK(changes.isLess == row.isLess);
  }
}

TEST_CASE("order, links, addresses, health, and what is not told, are no change") {
  const std::function<void(Inventory&)> rows[] = {
      [](Inventory&) {},
      [](Inventory& now) { now.disks.clear(), now.networkCards.clear(); },
      [](Inventory& now) { now.disks[0].serialNumber.clear(); },
      [](Inventory& now) { now.disks.push_back(now.disks[0]); },  // two controllers list it
      [](Inventory& now) { std::ranges::reverse(now.disks); },
      [](Inventory& now) { now.networkCards[0].link = "down"; },
      [](Inventory& now) { now.networkCards[0].addresses = {"10.0.0.7"}; },
      [](Inventory& now) { now.components[0].health = "Critical"; },
      [](Inventory& now) { now.components.pop_back(); },  // a drive, whose disk is there
      [](Inventory& now) { now.memoryMib = 0; },
      [](Inventory& now) { now.hostname = "n2"; },
      [](Inventory& now) { now.biosVersion.clear(); },
      [](Inventory& now) { now.components.clear(), now.pcieDevices.clear(), now.firmware.clear(); },
      [](Inventory& now) { now.firmware.push_back({.name = "BIOS", .version = "2.0"}); },  // the one to go back to
  };
  for (const auto& change : rows) CHECK(after(change).texts.empty());
  CHECK(changesBetween({}, machine()).texts.empty());
}
