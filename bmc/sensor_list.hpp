// Collects readings into what may leave: bounded, with finite values, each name once among those of its kind.
#pragma once

#include "bmc/model/sensors.hpp"

#include <set>

namespace ingot::bmc {

class SensorList {
 public:
  // One without a name or a value is left out. A name that is there already gets a number behind it: "Fan", "Fan 2".
  void add(Sensor sensor);
  // One without a name is left out; names as above, among parts of its kind. Where there is no more room, one that is
  // not well takes the place of one that is.
  void addPart(Component part);
  void noteLeftOut();          // parts that were not even read
  void note(std::string why);  // of what could not be read

  [[nodiscard]] std::size_t size() const { return found_.readings.size(); }
  [[nodiscard]] bool isFull() const { return size() >= mostSensors; }
  [[nodiscard]] std::size_t roomForParts() const { return mostParts - found_.parts.size(); }
  [[nodiscard]] Sensors take();

 private:
  // Has a number behind it unless it is the first of its kind that is called so.
  [[nodiscard]] std::string unique(const std::string& kind, const std::string& name);
  void noteOnce(bool& noted, std::size_t most, std::string_view what);

  Sensors found_;
  std::set<std::string> names_;  // kind and name
  bool leftSensorsOut_ = false, leftPartsOut_ = false;
};

}  // namespace ingot::bmc
