// What a host boots from.
#pragma once

#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/boot.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/write_permit.hpp"

namespace ingot::bmc {

class BootControl {
 public:
  static constexpr auto capability = Capability::boot;
  virtual ~BootControl() = default;

  // What the host boots from at its next power-on or, as the answer says, at each from then on. Error{unsupported} when
  // the BMC does not offer it. May be repeated.
  [[nodiscard]] virtual base::Task<BootLasts> setBoot(Lane lane, BootSetting setting, WritePermit permit) = 0;
};

}  // namespace ingot::bmc
