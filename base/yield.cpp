#include "base/yield.hpp"

#include "base/parking.hpp"

#include <boost/asio/post.hpp>

namespace ingot::base {

Task<void> yieldToLoop() {
  throwIfCancelled(co_await boost::asio::this_coro::cancellation_state);
  co_await boost::asio::post(boost::asio::use_awaitable);
  throwIfCancelled(co_await boost::asio::this_coro::cancellation_state);
}

}  // namespace ingot::base
