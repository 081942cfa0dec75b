// How well a host is, as its BMC sums it up.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/model/power.hpp"

namespace ingot::bmc {

struct HealthReading {
  Health health = Health::unknown;
  base::MonoTime asked{};  // as of PowerReading
};

class HealthSource {
 public:
  static constexpr auto capability = Capability::health;
  virtual ~HealthSource() = default;

  [[nodiscard]] virtual base::Task<HealthReading> readHealth(Lane lane) = 0;
};

}  // namespace ingot::bmc
