// What is different in a machine since its hardware was read before (spec/bmc.md §19.2).
#pragma once

#include "bmc/model/inventory.hpp"

#include <string>
#include <vector>

namespace ingot::bmc {

struct InventoryChanges {
  std::vector<std::string> texts;  // "disk S4EVNX0R (SAMSUNG MZQL2, 1788 GiB) is gone"
  bool isLess = false;             // something is gone, or there is less of it
};

// Order, links, addresses and health say nothing of the hardware, nor does what one of the two does not tell.
[[nodiscard]] InventoryChanges changesBetween(const Inventory& before, const Inventory& now);

}  // namespace ingot::bmc
