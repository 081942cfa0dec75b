#include "base/signals.hpp"

#include "base/sync.hpp"

#include <boost/asio/signal_set.hpp>

#include <csignal>

namespace ingot::base {

struct StopSignal::State {
  explicit State(const Executor& executor) : signals(executor, SIGTERM, SIGINT), came(executor) {}
  boost::asio::signal_set signals;
  Notifier came;
  int number = 0;
};

StopSignal::StopSignal(Executor executor) : state_(std::make_shared<State>(executor)) {
  state_->signals.async_wait([weak = std::weak_ptr(state_)](const boost::system::error_code& error, int number) {
    const auto state = weak.lock();
    if (error || !state) return;
    state->number = number;
    boost::system::error_code ignored;
    state->signals.clear(ignored);
    state->came.notifyAll();
  });
}

StopSignal::~StopSignal() = default;

Task<int> StopSignal::wait() {
  const auto state = state_;
  while (state->number == 0) co_await state->came.wait();
  co_return state->number;
}

}  // namespace ingot::base
