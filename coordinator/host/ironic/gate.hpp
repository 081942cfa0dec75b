// Who shares a BMC with Ironic lets go of it first.
#pragma once

#include "base/task.hpp"

#include <string>

namespace ingot::coordinator::host::ironic_backend {

class Gate {
 public:
  virtual ~Gate() = default;
  // Asked before each request that makes Ironic touch a host's power, boot or disks. True: nobody else will touch this
  // host's BMC until Ironic is done. False: not yet; the operation waits and asks again.
  [[nodiscard]] virtual base::Task<bool> mayAct(std::string namespace_, std::string name, std::string uid) = 0;
  // The request that mayAct() let through has been answered or given up.
  virtual void finished(const std::string& uid) { static_cast<void>(uid); }
};

}  // namespace ingot::coordinator::host::ironic_backend
