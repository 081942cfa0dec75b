// A loop under a manual clock, and a way to run one coroutine to its end on it.
#pragma once

#include "base/manual_clock.hpp"
#include "base/run.hpp"
#include "base/runtime.hpp"

namespace ingot::tests {

// One that can be begun anew while others hold on to it.
class ReplayedRandom final : public base::Random {
 public:
  void reseed(std::uint64_t seed) { inner_ = base::seededRandom(seed); }
  [[nodiscard]] std::uint64_t next() override { return inner_->next(); }

 private:
  std::unique_ptr<base::Random> inner_ = base::seededRandom(1);
};

struct Loop {
  boost::asio::io_context io;
  base::ManualClock clock{io};
  std::unique_ptr<ReplayedRandom> random = std::make_unique<ReplayedRandom>();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};

  // Runs `task`, moving virtual time as far as it needs, at most an hour. Rethrows what it throws.
  template <class T>
  T run(base::Task<T> task) {
    return base::run(io, clock, std::move(task));
  }
};

}  // namespace ingot::tests
