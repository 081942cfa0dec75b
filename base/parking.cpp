#include "base/parking.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/post.hpp>

namespace asio = boost::asio;

namespace ingot::base {

Task<void> underOurRules(Task<void> task) {
  co_await asio::this_coro::throw_if_cancelled(false);
  co_await std::move(task);
}

Task<bool> Parking::wait(bool heedCancellation) {
  if (heedCancellation) throwIfCancelled(co_await asio::this_coro::cancellation_state);
  const auto self = shared_from_this();
  auto park = [self, heedCancellation](Handler handler) {
    auto slot = asio::get_associated_cancellation_slot(handler);
    self->handler_.emplace(std::move(handler));
    if (heedCancellation && slot.is_connected()) {
      slot.assign([weak = std::weak_ptr(self)](asio::cancellation_type) {
        if (const auto parked = weak.lock()) parked->cancel();
      });
    }
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(std::move(park), asio::use_awaitable);
  co_return self->woken_;
}

bool Parking::finish(bool woken) {
  if (!handler_) return false;
  woken_ = woken;
  auto handler = std::move(*handler_);
  handler_.reset();
  // The slot may be running us right now; it is cleared when the coroutine resumes, and a second call finds no handler.
  asio::post(std::move(handler));
  return true;
}

}  // namespace ingot::base
