// Reads what hardware a system has (spec/bmc.md §17.2).
#pragma once

#include "bmc/model/inventory.hpp"
#include "bmc/quirks.hpp"
#include "bmc/redfish/hardware.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

// See walker.hpp for what becomes of a resource that cannot be read: it is named in `unread`. What a host is known
// without (memory modules, firmware, PCIe devices) is read last, and no longer than for some minutes: there a BMC may
// even stop answering.
class InventoryReader {
 public:
  InventoryReader(Connection& connection, Lane lane, Quirks quirks);

  [[nodiscard]] base::Task<Inventory> read(std::string systemPath);

 private:
  [[nodiscard]] base::Task<Processors> processors(SystemHardware system);
  [[nodiscard]] base::Task<std::int64_t> memory(SystemHardware system);
  [[nodiscard]] base::Task<std::vector<Disk>> disks(SystemHardware system);
  [[nodiscard]] base::Task<std::vector<Disk>> simpleDisks(SystemHardware system);
  [[nodiscard]] base::Task<void> readModules(SystemHardware system);
  [[nodiscard]] base::Task<void> readPcieDevices(SystemHardware system, Inventory& into);
  void addModule(const MemoryModule& module);
  void addComponent(Component component);

  Connection& connection_;
  Lane lane_;
  Walker walker_, extras_;
  Quirks quirks_;
  std::vector<Component> components_;
  bool leftSomeOut_ = false;
};

}  // namespace ingot::bmc::redfish
