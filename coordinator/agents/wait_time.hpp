// For how long something has been waited for without a gap. Pure.
#pragma once

#include "base/clock.hpp"

namespace ingot::coordinator::agents {

// A host at work is looked at every few seconds, as long as there is somebody who can do it. After a longer pause (the
// host was paused, whoever has to answer first did not, no agent had the right) a new wait begins: what has not been
// tried meanwhile has not failed for so long.
class WaitTime {
 public:
  WaitTime() = default;
  explicit WaitTime(base::MonoTime now) : since_(now), seen_(now) {}

  void look(base::MonoTime now) {
    if (now - seen_ > std::chrono::minutes(1)) since_ = now;
    seen_ = now;
  }
  [[nodiscard]] base::Duration lasts() const { return seen_ - since_; }

 private:
  base::MonoTime since_{}, seen_{};
};

}  // namespace ingot::coordinator::agents
