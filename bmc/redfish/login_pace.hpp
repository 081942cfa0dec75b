// How often a BMC is logged in to: one that takes each login and refuses all else would be with each request.
#pragma once

#include "base/clock.hpp"

#include <deque>

namespace ingot::bmc::redfish {

class LoginPace {
 public:
  void took(base::MonoTime now) { recent_.push_back(now); }
  // So many were taken within the last minute that the next one is to wait.
  [[nodiscard]] bool isFull(base::MonoTime now) {
    while (!recent_.empty() && now - recent_.front() >= std::chrono::minutes(1)) recent_.pop_front();
    return recent_.size() >= most;
  }

 private:
  static constexpr std::size_t most = 10;  // a minute
  std::deque<base::MonoTime> recent_;
};

}  // namespace ingot::bmc::redfish
