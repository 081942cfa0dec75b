// Reads what sits on the PCIe buses of a system (spec/bmc.md §17.2).
#pragma once

#include "bmc/model/inventory.hpp"
#include "bmc/redfish/pcie_resources.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

// As the system lists its devices: in a collection, or right there. `walker` is lent.
class PcieReader {
 public:
  explicit PcieReader(Walker& walker) : walker_(walker) {}

  [[nodiscard]] base::Task<std::vector<PcieDevice>> read(json::Value listed);

 private:
  [[nodiscard]] base::Task<std::vector<std::string>> pathsOf(json::Value listed);
  [[nodiscard]] base::Task<std::vector<PcieFunction>> functionsOf(PcieDeviceResource device);

  Walker& walker_;
};

}  // namespace ingot::bmc::redfish
