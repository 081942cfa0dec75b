#include "base/sync.hpp"

#include "base/parking.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace asio = boost::asio;

namespace ingot::base {

// --- Notifier --------------------------------------------------------------------------------------------------------

struct Notifier::Waiter : Parking {
  bool listed = true;  // still in the notifier's list, so the notifier is alive
  bool outOfTime = false;
};

Notifier::Notifier(const Executor&) {}

Notifier::~Notifier() {
  for (const auto& waiter : waiters_) {
    waiter->listed = false;
    waiter->cancel();
  }
}

void Notifier::notifyAll() {
  for (const auto& waiter : std::exchange(waiters_, {})) {
    waiter->listed = false;
    waiter->wake();
  }
}

Task<void> Notifier::wait() {
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  const auto waiter = std::make_shared<Waiter>();
  waiters_.push_back(waiter);
  if (co_await waiter->wait()) co_return;
  if (waiter->listed) waiters_.remove(waiter);
  throw Cancelled();
}

Task<bool> Notifier::waitUntil(Clock& clock, MonoTime deadline) {
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  const auto waiter = std::make_shared<Waiter>();
  waiters_.push_back(waiter);
  const auto alarm = clock.alarm(co_await asio::this_coro::executor, deadline,
                                 [late = waiter.get()] { late->outOfTime = late->wake(); });
  const bool woken = co_await waiter->wait();
  if (waiter->listed && (!woken || waiter->outOfTime)) waiters_.remove(waiter);
  if (!woken) throw Cancelled();
  co_return !waiter->outOfTime;
}

// --- Semaphore -------------------------------------------------------------------------------------------------------

struct Semaphore::State {
  std::size_t free;
  std::list<std::shared_ptr<Parking>> queue;

  void give() {
    while (!queue.empty()) {
      const auto next = queue.front();
      queue.pop_front();
      if (next->wake()) return;  // the unit changes hands; a cancelled waiter is passed over
    }
    ++free;
  }
};

Semaphore::Semaphore(const Executor&, std::size_t units) : state_(std::make_shared<State>(State{units, {}})) {}

Semaphore::~Semaphore() {
  for (const auto& waiter : std::exchange(state_->queue, {})) waiter->cancel();
}

Task<Semaphore::Units> Semaphore::acquire() {
  const auto state = state_;
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  if (state->free > 0 && state->queue.empty()) {
    --state->free;
    co_return Units(state);
  }
  const auto waiter = std::make_shared<Parking>();
  state->queue.push_back(waiter);
  if (co_await waiter->wait()) co_return Units(state);
  state->queue.remove(waiter);
  throw Cancelled();
}

std::size_t Semaphore::available() const { return state_->free; }
std::size_t Semaphore::waiting() const { return state_->queue.size(); }

Semaphore::Units::Units(Units&& other) noexcept = default;

Semaphore::Units& Semaphore::Units::operator=(Units&& other) noexcept {
  if (this != &other) {
    release();
    owner_ = std::move(other.owner_);
  }
  return *this;
}

Semaphore::Units::~Units() { release(); }

void Semaphore::Units::release() {
  if (const auto owner = std::exchange(owner_, nullptr)) owner->give();
}

// --- withTimeout, shielded -------------------------------------------------------------------------------------------

namespace detail {
namespace {

using Signal = std::shared_ptr<asio::cancellation_signal>;

struct Race {
  Signal stopBody = std::make_shared<asio::cancellation_signal>();
  bool outOfTime = false;
};

bool isCancellation(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  } catch (const Cancelled&) {
    return true;
  } catch (const boost::system::system_error& e) {
    return e.code() == asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

// How `body` ended, as a value: it runs with a stop signal of its own.
Task<std::exception_ptr> runApart(Task<void> body, asio::cancellation_slot stop) {
  std::exception_ptr why;
  try {
    co_await asio::co_spawn(co_await asio::this_coro::executor, underOurRules(std::move(body)),
                            asio::bind_cancellation_slot(stop, asio::use_awaitable));
  } catch (...) {
    why = std::current_exception();
  }
  co_return why;
}

// The same; `cancelled` is called when the caller is. runApart binds another slot to its wait, so the caller's is free
// for that.
Task<std::exception_ptr> runTold(Task<void> body, Signal stop, std::function<void(asio::cancellation_type)> cancelled) {
  auto callers = co_await asio::this_coro::cancellation_state;
  throwIfCancelled(callers);
  if (callers.slot().is_connected()) callers.slot().assign(std::move(cancelled));
  auto why = co_await runApart(std::move(body), stop->slot());
  if (callers.slot().is_connected()) callers.slot().clear();
  co_return why;
}

// The same, with the caller's own cancellation passed on to `stop`.
Task<std::exception_ptr> runStoppable(Task<void> body, Signal stop) {
  return runTold(std::move(body), stop, [stop](asio::cancellation_type type) { stop->emit(type); });
}

[[noreturn]] void rethrow(const std::exception_ptr& why) {
  if (isCancellation(why)) throw Cancelled();
  std::rethrow_exception(why);
}

}  // namespace

Task<bool> runWithDeadline(Clock& clock, Duration limit, Task<void> body) {
  const auto callers = co_await asio::this_coro::cancellation_state;
  throwIfCancelled(callers);
  Race race;
  auto alarm = clock.alarm(co_await asio::this_coro::executor, clock.now() + limit, [&race] {
    race.outOfTime = true;
    race.stopBody->emit(asio::cancellation_type::terminal);
  });
  const auto why = co_await runStoppable(std::move(body), race.stopBody);
  alarm.reset();
  if (!why) co_return false;
  if (race.outOfTime && callers.cancelled() == asio::cancellation_type::none) co_return true;
  rethrow(why);
}

Task<void> runWithGrace(Clock& clock, Duration grace, Task<void> body) {
  const auto executor = co_await asio::this_coro::executor;
  const auto stop = std::make_shared<asio::cancellation_signal>();
  std::unique_ptr<Alarm> alarm;
  const auto why = co_await runTold(std::move(body), stop, [&](asio::cancellation_type type) {
    if (alarm) return;
    alarm = clock.alarm(executor, clock.now() + grace, [stop, type] { stop->emit(type); });
  });
  alarm.reset();
  if (why) rethrow(why);
}

Task<void> runShielded(Task<void> body) {
  if (const auto why = co_await runApart(std::move(body), asio::cancellation_slot())) std::rethrow_exception(why);
}

}  // namespace detail

// --- AbortSource -----------------------------------------------------------------------------------------------------

struct AbortSource::State {
  detail::Signal stop = std::make_shared<asio::cancellation_signal>();
  bool aborted = false;
};

AbortSource::AbortSource() : state_(std::make_shared<State>()) {}
AbortSource::~AbortSource() = default;

void AbortSource::abort() {
  state_->aborted = true;
  state_->stop->emit(asio::cancellation_type::terminal);
}

bool AbortSource::aborted() const { return state_->aborted; }

Task<void> AbortSource::run(Task<void> task) {
  const auto state = state_;
  if (state->aborted) throw Cancelled();
  const auto why = co_await detail::runStoppable(std::move(task), state->stop);
  state->stop->slot().clear();  // or a later abort() posts a wake-up into what is gone by then
  if (why) detail::rethrow(why);
}

}  // namespace ingot::base
