// Reads what the sensors of a system's chassis say (spec/bmc.md §5).
#pragma once

#include "bmc/redfish/leak_reader.hpp"

namespace ingot::bmc::redfish {

// Thermal and Power of each chassis, two requests that hold all; where they give no reading, its Sensors, in one
// request where the service expands collections and one by one where it does not (docs/decisions/0019). Fans and power
// supplies of a chassis that links to no Thermal or Power are those of ThermalSubsystem and PowerSubsystem. Then its
// leak detectors.
class SensorsReader {
 public:
  // `nowhere` is kept from reading to reading.
  SensorsReader(Connection& connection, Lane lane, LeaksNowhere& nowhere)
      : walker_(connection, lane), leaks_(connection, walker_, found_, nowhere) {}

  [[nodiscard]] base::Task<Sensors> read(std::string systemPath);
  // What its leak detectors say of the host, which its BMC may leave out: they are the chassis', not the system's.
  [[nodiscard]] Health worstLeak() const { return leaks_.worst(); }

 private:
  [[nodiscard]] base::Task<void> readChassis(std::string path);
  void addThermal(const Thermal& thermal);
  void addPower(const PowerReadings& power);
  void addPart(std::string_view kind, const Fact<std::string>& path, std::string name, const Fact<Status>& status);
  void addRedundancy(std::string_view otherwise, const Fact<std::vector<Redundancy>>& groups);
  template <class Resource>
  [[nodiscard]] base::Task<std::optional<Resource>> getAt(Fact<Link> link) {
    if (!link || !link->id) co_return std::nullopt;
    co_return co_await walker_.get<Resource>(*link->id);
  }
  // `kind`, `otherwise`: literals.
  [[nodiscard]] base::Task<void> readParts(std::string_view kind, std::string_view otherwise, Fact<Link> collection);
  [[nodiscard]] base::Task<void> readSensors(std::string collection);
  void addSensor(const SensorResource& sensor);

  Walker walker_;
  SensorList found_;
  LeakReader leaks_;
};

}  // namespace ingot::bmc::redfish
