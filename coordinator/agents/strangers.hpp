// What agents that nobody has approved may cost: they share fixed rates, so those that are approved are heard however
// many strangers there are, and whatever they send.
#pragma once

#include "base/clock.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::agents {

struct StrangerLimits {
  std::size_t longestMessage = 4096;  // bytes; a hello has some hundred
  std::size_t mostKeys = 256;         // that are told apart
  // One message a while on average, and so many at once.
  base::Duration perKey = std::chrono::milliseconds(500);
  int burstPerKey = 10;
  base::Duration perMessage = std::chrono::milliseconds(10);
  int burst = 500;
  base::Duration perConnection = std::chrono::milliseconds(200);
  int connectionBurst = 128;
};

// So many at once, then one each `interval`.
class Pace {
 public:
  Pace(base::Duration interval, int burst) : interval_(interval), ahead_((burst - 1) * interval) {}

  [[nodiscard]] bool take(base::MonoTime now) {
    const auto from = std::max(next_, now);
    if (from - now > ahead_) return false;
    next_ = from + interval_;
    return true;
  }
  // Nothing was taken for so long that it is as new.
  [[nodiscard]] bool isRested(base::MonoTime now) const { return next_ <= now; }

 private:
  base::Duration interval_, ahead_;
  base::MonoTime next_{};
};

class Strangers {
 public:
  explicit Strangers(StrangerLimits limits = {});

  // A message of this many bytes is to be read.
  [[nodiscard]] bool admitsMessage(const std::string& publicKey, std::size_t bytes, base::MonoTime now);
  // Another connection of a stranger is to be taken.
  [[nodiscard]] bool admitsConnection(base::MonoTime now) { return connections_.take(now); }

 private:
  StrangerLimits limits_;
  Pace messages_, connections_;
  std::map<std::string, Pace> byKey_;
};

}  // namespace ingot::coordinator::agents
