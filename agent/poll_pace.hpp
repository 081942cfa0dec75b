// How long to wait before a host is polled again: its interval, give or take a tenth (and a quarter of a second, on the
// beat), and longer the more of its polls in a row ended in an error of the BMC. What the governor says
// (bmc/governor.hpp) does not count.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"

namespace ingot::agent {

class PollPace {
 public:
  // The runtime's clock and randomness outlive this.
  explicit PollPace(const base::Runtime& runtime) : clock_(runtime.clock), random_(runtime.random) {}

  void succeeded() { errors_ = 0; }
  void failed() { ++errors_; }
  [[nodiscard]] bool isGood() const { return errors_ == 0; }
  [[nodiscard]] base::Duration pauseAfter(base::Duration interval) const;
  // When that is from now: of intervals of seconds on a beat of half a second that all hosts share, for a process that
  // wakes once for many of them needs much less CPU for each.
  [[nodiscard]] base::MonoTime next(base::Duration interval) const;

 private:
  base::Clock& clock_;
  base::Random& random_;
  unsigned errors_ = 0;  // in a row
};

}  // namespace ingot::agent
