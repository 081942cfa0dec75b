// Where one coroutine waits to be woken: the primitive under Notifier, Semaphore and ManualClock.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>

namespace ingot::base {

// Throws Cancelled when the coroutine was asked to stop. For the entry of functions that wait:
//   throwIfCancelled(co_await boost::asio::this_coro::cancellation_state);
inline void throwIfCancelled(const boost::asio::cancellation_state& state) {
  if (state.cancelled() != boost::asio::cancellation_type::none) throw Cancelled();
}

// What every coroutine thread of ours starts with: cancellation shows as base::Cancelled at waits, not as asio's
// system_error at every co_await.
[[nodiscard]] Task<void> underOurRules(Task<void> task);

// One coroutine, one wait. Both sides hold it by shared_ptr; every call is made on the loop thread.
class Parking : public std::enable_shared_from_this<Parking> {
 public:
  // True when wake() ended the wait, false when cancellation did. With `heedCancellation` false only wake() ends it.
  [[nodiscard]] Task<bool> wait(bool heedCancellation = true);

  // The coroutine goes on through the loop. False when it was not waiting any more (woken or cancelled before).
  bool wake() { return finish(true); }

  // As if the coroutine had been cancelled.
  bool cancel() { return finish(false); }

 private:
  using Handler = boost::asio::async_result<boost::asio::use_awaitable_t<>, void()>::handler_type;
  bool finish(bool woken);
  std::optional<Handler> handler_;
  bool woken_ = false;
};

}  // namespace ingot::base
