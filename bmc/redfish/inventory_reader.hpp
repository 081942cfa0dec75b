// Reads what hardware a system has (spec/bmc.md §17.2).
#pragma once

#include "bmc/driver.hpp"
#include "bmc/quirks.hpp"
#include "bmc/redfish/hardware.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

// See walker.hpp for what becomes of a resource that cannot be read: it is named in `unread`.
class InventoryReader {
 public:
  InventoryReader(Connection& connection, Lane lane, Quirks quirks)
      : connection_(connection), lane_(lane), walker_(connection, lane), quirks_(std::move(quirks)) {}

  [[nodiscard]] base::Task<Inventory> read(std::string systemPath);

 private:
  [[nodiscard]] base::Task<Processors> processors(SystemHardware system);
  [[nodiscard]] base::Task<std::int64_t> memory(SystemHardware system);
  [[nodiscard]] base::Task<std::vector<Disk>> disks(SystemHardware system);

  Connection& connection_;
  Lane lane_;
  Walker walker_;
  Quirks quirks_;
};

}  // namespace ingot::bmc::redfish
