// How long to wait before a host is polled again: its interval, give or take a tenth, and longer the more of its polls
// in a row ended in an error of the BMC. What the governor says (bmc/governor.hpp) does not count.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"

namespace ingot::agent {

class PollPace {
 public:
  explicit PollPace(base::Runtime runtime) : runtime_(std::move(runtime)) {}

  void succeeded() { errors_ = 0; }
  void failed() { ++errors_; }
  [[nodiscard]] bool isGood() const { return errors_ == 0; }
  [[nodiscard]] base::Duration pauseAfter(base::Duration interval) const;
  // When that is from now: where seconds do not matter, on a beat that all hosts share. A process that wakes once for
  // many of them needs a third less CPU for each.
  [[nodiscard]] base::MonoTime next(base::Duration interval) const;

 private:
  base::Runtime runtime_;
  unsigned errors_ = 0;  // in a row
};

}  // namespace ingot::agent
