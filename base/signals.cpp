#include "base/signals.hpp"

#include "base/sync.hpp"

#include <boost/asio/signal_set.hpp>

#include <csignal>

namespace ingot::base {

struct StopSignal::State {
  explicit State(const Executor& executor) : signals(executor, SIGTERM), came(executor) {}
  boost::asio::signal_set signals;
  Notifier came;
  int number = 0;
};

namespace {

bool isIgnored(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

StopSignal::StopSignal(Executor executor, Hangup hangup) : state_(std::make_shared<State>(executor)) {
  if (!isIgnored(SIGINT)) state_->signals.add(SIGINT);
  if (hangup == Hangup::stops && !isIgnored(SIGHUP)) state_->signals.add(SIGHUP);
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
