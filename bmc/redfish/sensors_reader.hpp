// Reads what the sensors of a system's chassis say (spec/bmc.md §5).
#pragma once

#include "bmc/redfish/telemetry.hpp"
#include "bmc/redfish/walker.hpp"
#include "bmc/sensor_list.hpp"

namespace ingot::bmc::redfish {

// Thermal and Power of each chassis, two requests that hold all; where they give nothing, its Sensors, in one
// request where the service expands collections and one by one where it does not (docs/decisions/0019).
class SensorsReader {
 public:
  SensorsReader(Connection& connection, Lane lane) : walker_(connection, lane) {}

  [[nodiscard]] base::Task<Sensors> read(std::string systemPath);

 private:
  [[nodiscard]] base::Task<void> readChassis(std::string path);
  void addThermal(const Thermal& thermal);
  void addPower(const PowerReadings& power);
  [[nodiscard]] base::Task<void> readSensors(std::string collection);
  void addSensor(const SensorResource& sensor);

  Walker walker_;
  SensorList found_;
};

}  // namespace ingot::bmc::redfish
