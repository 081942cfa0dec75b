// The steps of a cleaning that a BMC takes beside the erasure of drives.
#pragma once

#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/model/cleaning_step.hpp"
#include "bmc/write_permit.hpp"

#include <string>

namespace ingot::bmc {

class CleaningControl {
 public:
  static constexpr auto capability = Capability::cleaning;
  virtual ~CleaningControl() = default;

  // What was done, for people. Error{unsupported} where the BMC offers no way to. May be repeated. Whoever
  // asks sees to its end: a BMC may answer as slowly as it likes.
  [[nodiscard]] virtual base::Task<std::string> cleanUp(Lane lane, CleaningStep step, WritePermit permit) = 0;
};

}  // namespace ingot::bmc
