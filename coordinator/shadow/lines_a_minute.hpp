// Bounds what goes into the log; the report has it all.
#pragma once

#include "base/clock.hpp"

#include <optional>
#include <utility>

namespace ingot::coordinator::shadow {

class LinesAMinute {
 public:
  LinesAMinute(const base::Clock& clock, unsigned most) : clock_(clock), most_(most), minute_(clock.now()) {}

  // For one more line: how many were left out in the minute before, as far as this is the first of a minute. nullopt:
  // it is left out, too.
  [[nodiscard]] std::optional<unsigned> next() {
    unsigned before = 0;
    if (const auto now = clock_.now(); now - minute_ >= std::chrono::minutes(1)) {
      minute_ = now;
      lines_ = 0;
      before = std::exchange(leftOut_, 0);
    }
    if (++lines_ <= most_) return before;
    ++leftOut_;
    return std::nullopt;
  }

 private:
  const base::Clock& clock_;
  unsigned most_, lines_ = 0, leftOut_ = 0;
  base::MonoTime minute_;
};

}  // namespace ingot::coordinator::shadow
