// The hardware of a host.
#pragma once

#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/model/inventory.hpp"

namespace ingot::bmc {

class InventorySource {
 public:
  static constexpr auto capability = Capability::inventory;
  virtual ~InventorySource() = default;

  // What could not be read is named in it.
  [[nodiscard]] virtual base::Task<Inventory> readInventory(Lane lane) = 0;
};

}  // namespace ingot::bmc
