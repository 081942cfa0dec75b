// The power of a host.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/model/power.hpp"
#include "bmc/write_permit.hpp"

#include <optional>
#include <string>

namespace ingot::bmc {

struct PowerReading {
  Power power = Power::unknown;
  std::string raw;                // the BMC's own word ("PoweringOn", "Chassis Power is on")
  std::string bootProgress = {};  // Redfish's word ("OSRunning"); "" where the same answer does not tell it
  std::optional<Health> health;   // where the same answer of the BMC tells it
  base::MonoTime asked{};         // when the BMC was asked: an answer that took long says nothing of the time since
};

class PowerControl {
 public:
  static constexpr auto capability = Capability::power;
  virtual ~PowerControl() = default;

  [[nodiscard]] virtual base::Task<PowerReading> readPower(Lane lane) = 0;

  // Throws Error{unsupported} when the BMC says beforehand that it knows no way to do this.
  [[nodiscard]] virtual base::Task<void> checkOffers(Lane lane, PowerAction action) = 0;

  // Returns when the BMC has accepted the command: that is not yet done (see changePower). A BMC that says it is
  // there already counts as acceptance. Error{unsupported} when it knows no way to do this; Error{outcomeUnknown} when
  // it was sent and not answered.
  [[nodiscard]] virtual base::Task<void> requestPower(Lane lane, PowerAction action, WritePermit permit) = 0;
};

}  // namespace ingot::bmc
