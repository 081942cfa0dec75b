#include "base/clock.hpp"

#include "base/parking.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>

namespace asio = boost::asio;

namespace ingot::base {

MonoTime SystemClock::now() const { return std::chrono::steady_clock::now(); }
WallTime SystemClock::wall() const { return std::chrono::system_clock::now(); }

Task<void> SystemClock::sleepUntil(MonoTime when) {
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  asio::steady_timer timer(co_await asio::this_coro::executor, when);
  boost::system::error_code error;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  if (error) throw Cancelled();
}

}  // namespace ingot::base
