// The virtual CD drives of a host.
#pragma once

#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/write_permit.hpp"

#include <string>

namespace ingot::bmc {

class MediaControl {
 public:
  static constexpr auto capability = Capability::media;
  virtual ~MediaControl() = default;

  // The virtual CD drive of the BMC holds this image afterwards (an URL that the BMC can reach), as the BMC says
  // itself; what was in its drives before is not any more. Error{unsupported} without such a drive. May be repeated.
  [[nodiscard]] virtual base::Task<void> insertMedia(Lane lane, std::string image, WritePermit permit) = 0;
  // Empties the virtual CD drives; what is empty or is not there counts as done.
  [[nodiscard]] virtual base::Task<void> ejectMedia(Lane lane, WritePermit permit) = 0;
  // The image in the virtual CD drive, as the BMC says; "" for none.
  [[nodiscard]] virtual base::Task<std::string> insertedMedia(Lane lane) = 0;
};

}  // namespace ingot::bmc
