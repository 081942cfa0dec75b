// Templates of base/sync.hpp, kept thin: the machinery is compiled once, in sync.cpp.
#pragma once

#include "base/sync.hpp"

#include <optional>
#include <type_traits>

namespace ingot::base {
namespace detail {

// Runs `body`; asks it to stop when `limit` has passed first. True when `body` then ended by an exception.
// Exceptions of a body that was not out of time go through.
[[nodiscard]] Task<bool> runWithDeadline(Clock& clock, Duration limit, Task<void> body);

// Runs `body`; passes a cancellation of the caller on when `grace` has passed.
[[nodiscard]] Task<void> runWithGrace(Clock& clock, Duration grace, Task<void> body);

// Runs `body` where a cancellation of the caller does not reach it.
[[nodiscard]] Task<void> runShielded(Task<void> body);

template <class T>
Task<void> storeInto(Task<T> task, std::optional<T>& result) {
  result.emplace(co_await std::move(task));
}

}  // namespace detail

template <class T>
Task<T> withTimeout(Clock& clock, Duration limit, std::string what, Task<T> task) {
  if constexpr (std::is_void_v<T>) {
    if (co_await detail::runWithDeadline(clock, limit, std::move(task))) throw TimedOut(what);
  } else {
    std::optional<T> result;
    if (co_await detail::runWithDeadline(clock, limit, detail::storeInto(std::move(task), result))) {
      throw TimedOut(what);
    }
    co_return std::move(*result);
  }
}

template <class T>
Task<T> withGrace(Clock& clock, Duration grace, Task<T> task) {
  if constexpr (std::is_void_v<T>) {
    co_await detail::runWithGrace(clock, grace, std::move(task));
  } else {
    std::optional<T> result;
    co_await detail::runWithGrace(clock, grace, detail::storeInto(std::move(task), result));
    co_return std::move(*result);
  }
}

template <class T>
Task<T> shielded(Task<T> task) {
  if constexpr (std::is_void_v<T>) {
    co_await detail::runShielded(std::move(task));
  } else {
    std::optional<T> result;
    co_await detail::runShielded(detail::storeInto(std::move(task), result));
    co_return std::move(*result);
  }
}

}  // namespace ingot::base
