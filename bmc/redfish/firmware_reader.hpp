// Reads what firmware a BMC knows of (spec/bmc.md §11.1).
#pragma once

#include "bmc/model/inventory.hpp"
#include "bmc/redfish/firmware_resources.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

// That this is the system firmware of `biosVersion`, and not one that waits for its installation or was there before.
[[nodiscard]] bool isBios(const SoftwareInventory& firmware, std::string_view biosVersion);

// Two requests where the service expands collections. `connection` and `walker` are lent.
class FirmwareReader {
 public:
  FirmwareReader(Connection& connection, Lane lane, Walker& walker)
      : connection_(connection), lane_(lane), walker_(walker) {}

  // Puts it into `into`, and there the release date of the BIOS, which is known by its version.
  [[nodiscard]] base::Task<void> read(Inventory& into);

 private:
  Connection& connection_;
  Lane lane_;
  Walker& walker_;
};

}  // namespace ingot::bmc::redfish
