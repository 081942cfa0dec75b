// Runs a coroutine from a plain function: main() and tests.
#pragma once

#include "base/manual_clock.hpp"
#include "base/sync.hpp"
#include "base/task.hpp"

#include <boost/asio/io_context.hpp>

#include <optional>
#include <type_traits>

namespace ingot::base {
namespace detail {
void runToEnd(boost::asio::io_context& loop, Task<void> task);
void runToEnd(boost::asio::io_context& loop, ManualClock& clock, Duration limit, Task<void> task);
}  // namespace detail

// Runs the loop until `task` has ended; its result, or its exception.
template <class T>
T run(boost::asio::io_context& loop, Task<T> task) {
  if constexpr (std::is_void_v<T>) {
    detail::runToEnd(loop, std::move(task));
  } else {
    std::optional<T> result;
    detail::runToEnd(loop, detail::storeInto(std::move(task), result));
    return std::move(*result);
  }
}

// The same under virtual time, which moves as far as `task` needs. Throws TimedOut when it still runs after `limit`
// (the task is then left behind: destroy the loop).
template <class T>
T run(boost::asio::io_context& loop, ManualClock& clock, Task<T> task, Duration limit = std::chrono::hours(1)) {
  if constexpr (std::is_void_v<T>) {
    detail::runToEnd(loop, clock, limit, std::move(task));
  } else {
    std::optional<T> result;
    detail::runToEnd(loop, clock, limit, detail::storeInto(std::move(task), result));
    return std::move(*result);
  }
}

}  // namespace ingot::base
