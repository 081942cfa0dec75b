// A clock that time passes on while the loop stands still: a disk that stalls, a process that was paused.
#pragma once

#include "base/clock.hpp"

namespace ingot::tests {

class StallingClock final : public base::Clock {
 public:
  explicit StallingClock(base::Clock& clock) : clock_(clock) {}

  // Nobody is woken: what was to happen meanwhile happens after it.
  void stall(base::Duration d) { passed_ += d; }

  [[nodiscard]] base::MonoTime now() const override { return clock_.now() + passed_; }
  [[nodiscard]] base::WallTime wall() const override { return clock_.wall() + passed_; }
  [[nodiscard]] base::Task<void> sleepUntil(base::MonoTime when) override { return clock_.sleepUntil(when - passed_); }
  [[nodiscard]] std::unique_ptr<base::Alarm> alarm(const base::Executor& executor, base::MonoTime when,
                                                   std::function<void()> ring) override {
    return clock_.alarm(executor, when - passed_, std::move(ring));
  }

 private:
  base::Clock& clock_;
  base::Duration passed_{};
};

}  // namespace ingot::tests
