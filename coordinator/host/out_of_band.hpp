// An inspection that needs no ramdisk and no backend: somebody beside the BMC reads what it knows.
#pragma once

#include "coordinator/host/lifecycle_backend.hpp"
#include "coordinator/host/power_actor.hpp"

#include <vector>

namespace ingot::coordinator::host {

struct OutOfBandResult {
  Inspected found;
  std::vector<std::string> unread = {};  // what the BMC has and did not show, and why
  bool begun = false;                    // a reading has been asked for in this call
};

class OutOfBandInspection {
 public:
  virtual ~OutOfBandInspection() = default;

  // nullopt: nobody can read this host's hardware; the backend is asked. A result is told once: the next call begins
  // anew.
  [[nodiscard]] virtual base::Task<std::optional<OutOfBandResult>> inspect(const PoweredHost& host,
                                                                           LifecycleBackend& backend) = 0;
};

}  // namespace ingot::coordinator::host
