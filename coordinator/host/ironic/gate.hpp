// Whoever shares a BMC with Ironic lets go of it first.
#pragma once

#include "base/task.hpp"

#include <string>

namespace ingot::coordinator::host::ironic_backend {

class Gate {
 public:
  virtual ~Gate() = default;
  // Takes the BMC of the host with this uid away from everybody else, before each request that makes Ironic touch the
  // host's power, boot or disks. True: nobody else will touch it until Ironic is done. False: not yet; the operation
  // waits and tries again.
  [[nodiscard]] virtual base::Task<bool> acquireBmc(std::string uid) = 0;
  // The request for which the BMC was acquired has been answered or given up.
  virtual void releaseBmc(const std::string& uid) { static_cast<void>(uid); }
};

}  // namespace ingot::coordinator::host::ironic_backend
