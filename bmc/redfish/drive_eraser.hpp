// The drives of a system as its BMC erases them (spec/bmc.md §12.4).
#pragma once

#include "bmc/capability/erasure.hpp"
#include "bmc/redfish/erase_resources.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

class DriveEraser {
 public:
  DriveEraser(Connection& connection, Lane lane) : connection_(connection), lane_(lane) {}

  // As ErasureControl::readDrives(), readDrive(), eraseDrive(), lookAtErasure().
  [[nodiscard]] base::Task<std::vector<ErasableDrive>> drives(std::string systemPath);
  [[nodiscard]] base::Task<std::optional<ErasableDrive>> drive(std::string path);
  [[nodiscard]] base::Task<std::string> erase(ErasableDrive drive, EraseMethod method, WritePermit permit);
  [[nodiscard]] base::Task<ErasureProgress> look(std::string task);

 private:
  [[nodiscard]] base::Task<ErasableDrive> judged(std::string path, DriveToErase found);
  [[nodiscard]] base::Task<std::vector<EraseMethod>> methods(Fact<DriveActions> actions);
  [[nodiscard]] base::Task<std::string> volumeAround(Fact<DriveLinks> links);

  Connection& connection_;
  Lane lane_;
};

}  // namespace ingot::bmc::redfish
