// A loop under a manual clock, and a way to run one coroutine to its end on it.
#pragma once

#include "base/manual_clock.hpp"
#include "base/runtime.hpp"

#include <boost/asio/co_spawn.hpp>

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
    std::optional<std::conditional_t<std::is_void_v<T>, bool, T>> result;
    std::exception_ptr failure;
    start(std::move(task), result, failure);
    const bool ended = clock.advanceUntil([&] { return result || failure; }, std::chrono::hours(1));
    if (failure) std::rethrow_exception(failure);
    if (!ended) throw std::runtime_error("the coroutine did not end within an hour of virtual time");
    if constexpr (!std::is_void_v<T>) return std::move(*result);
  }

 private:
  template <class T, class Result>
  void start(base::Task<T> task, Result& result, std::exception_ptr& failure) {
    if constexpr (std::is_void_v<T>)
      boost::asio::co_spawn(io, std::move(task), [&](std::exception_ptr error) {
        if (error)
          failure = error;
        else
          result = true;
      });
    else
      boost::asio::co_spawn(io, std::move(task), [&](std::exception_ptr error, T value) {
        if (error)
          failure = error;
        else
          result = std::move(value);
      });
  }
};

}  // namespace ingot::tests
