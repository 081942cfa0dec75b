// How long to wait before the next try.
#pragma once

#include "base/clock.hpp"
#include "base/random.hpp"

namespace ingot::base {

// Exponential back-off with jitter: try n (from 0) waits uniformly in (1-jitter, 1] × min(cap, first × factor^n).
struct Backoff {
  Duration first = std::chrono::milliseconds(200);
  Duration cap = std::chrono::seconds(30);
  double factor = 2.0;
  double jitter = 0.5;

  [[nodiscard]] Duration delay(unsigned attempt, Random& random) const;
};

}  // namespace ingot::base
