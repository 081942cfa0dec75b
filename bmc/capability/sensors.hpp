// The sensors of a host.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/model/sensors.hpp"

namespace ingot::bmc {

// A part that raises the health of its host, or that may and read nothing this time (unknown).
struct RaisedBy {
  std::string part;  // names it among those of its host, the same each time
  Health health = Health::unknown;

  friend bool operator==(const RaisedBy&, const RaisedBy&) = default;
};

struct SensorReading {
  Sensors sensors;
  // The worst of those parts that the BMC's own judgement of the host (readHealth) leaves out; unknown: there is none.
  Health raised = Health::unknown;
  base::MonoTime asked{};               // before the first of them
  std::vector<RaisedBy> raisedBy = {};  // part by part, where one may read nothing for once
};

class SensorSource {
 public:
  static constexpr auto capability = Capability::sensors;
  virtual ~SensorSource() = default;

  // What could not be read is named in it. Throws where nothing can be read.
  [[nodiscard]] virtual base::Task<SensorReading> readSensors(Lane lane) = 0;
};

}  // namespace ingot::bmc
