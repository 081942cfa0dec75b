// What a backend tells of a host's health, and the slots of the hosts that it works on at once.
#pragma once

#include "base/task.hpp"

#include <string>

namespace ingot::coordinator::host {

class StatusBackend {
 public:
  virtual ~StatusBackend() = default;

  // Claims one of the slots of hosts at work for this host, unless it has one; it is free again when its work has
  // ended, or has not begun soon. False: none is free.
  [[nodiscard]] virtual base::Task<bool> acquireSlot() = 0;
  // The backend as a whole has answered lately: what fails now fails for this host.
  [[nodiscard]] virtual bool answers() { return true; }
  // "" when unknown, else OK | Warning | Critical.
  [[nodiscard]] virtual base::Task<std::string> health() = 0;
};

}  // namespace ingot::coordinator::host
