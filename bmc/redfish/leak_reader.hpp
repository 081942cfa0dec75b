// Reads the leak detectors of a chassis (docs/decisions/0039).
#pragma once

#include "bmc/redfish/telemetry.hpp"
#include "bmc/redfish/walker.hpp"
#include "bmc/sensor_list.hpp"

#include <map>

namespace ingot::bmc::redfish {

// Chassis that have said that they have none, by the path of their ThermalSubsystem, and until when that is believed.
using LeaksNowhere = std::map<std::string, base::MonoTime>;

// What the chassis links to itself; else what ThermalSubsystem/LeakDetection does, which is one request more, or one an
// hour where there is none.
class LeakReader {
 public:
  LeakReader(Connection& connection, Walker& walker, SensorList& found, LeaksNowhere& nowhere)
      : connection_(connection), walker_(walker), found_(found), nowhere_(nowhere) {}

  // `subsystem`: where it has been read already.
  [[nodiscard]] base::Task<void> read(Chassis chassis, std::optional<ThermalSubsystem> subsystem);
  // Of all detectors, also of those that there was no room for in the list.
  [[nodiscard]] Health worst() const { return worst_; }

 private:
  void noteNowhere(const std::string& path);
  [[nodiscard]] base::Task<void> readDetection(std::string path);
  [[nodiscard]] base::Task<void> readDetectors(Fact<Link> collection);
  void add(const LeakDetector& detector);

  Connection& connection_;
  Walker& walker_;
  SensorList& found_;
  LeaksNowhere& nowhere_;
  Health worst_ = Health::unknown;
};

}  // namespace ingot::bmc::redfish
