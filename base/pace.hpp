// So many at once, then one each interval; what was not taken is kept up to that many.
#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <cstdint>

namespace ingot::base {

// Between two of so many a second (> 0).
[[nodiscard]] inline Duration intervalOf(double perSecond) {
  return Duration(static_cast<std::int64_t>(1e9 / perSecond));
}

class Pace {
 public:
  // `atOnce` > 0.
  Pace(Duration interval, unsigned atOnce) : interval_(interval), kept_(interval * (atOnce - 1)) {}

  // When the next one may be; not after `now`: at once.
  [[nodiscard]] MonoTime due(MonoTime now) const { return std::max(next_, now - kept_); }
  // Takes it, and returns when it may be.
  MonoTime take(MonoTime now) {
    const auto mine = due(now);
    next_ = mine + interval_;
    return mine;
  }
  // Takes it if it may be at once. False: it would have to wait, and is not taken.
  [[nodiscard]] bool takeNow(MonoTime now) {
    if (due(now) > now) return false;
    take(now);
    return true;
  }
  // Nothing was taken for so long that it is as new.
  [[nodiscard]] bool isRested(MonoTime now) const { return next_ <= now - kept_; }

 private:
  Duration interval_, kept_;
  MonoTime next_ = MonoTime::min();
};

}  // namespace ingot::base
