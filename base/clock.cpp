#include "base/clock.hpp"

#include "base/parking.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/redirect_error.hpp>

#include <ctime>

namespace asio = boost::asio;

namespace ingot::base {

namespace {

// Unlike std::chrono::steady_clock this clock goes on while the machine is suspended: a lease that was held when a
// virtual machine was suspended has expired when it resumes. A coroutine that sleeps is woken late then, at the latest
// by the next timer of the process.
struct BootClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = MonoTime;

  static time_point now() {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);  // cannot fail: every Linux since 2.6.39 has it
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
  }
};

using BootTimer = asio::basic_waitable_timer<BootClock>;

class TimerAlarm final : public Alarm {
 public:
  TimerAlarm(const Executor& executor, MonoTime when, std::function<void()> ring)
      : ring_(std::make_shared<std::function<void()>>(std::move(ring))), timer_(executor, when) {
    timer_.async_wait([weak = std::weak_ptr(ring_)](const boost::system::error_code&) {
      if (const auto alive = weak.lock()) (*alive)();  // an alarm that has gone since the timer ran out is silent
    });
  }

 private:
  std::shared_ptr<std::function<void()>> ring_;
  BootTimer timer_;
};

}  // namespace

MonoTime SystemClock::now() const { return BootClock::now(); }
WallTime SystemClock::wall() const { return std::chrono::system_clock::now(); }

Task<void> SystemClock::sleepUntil(MonoTime when) {
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  BootTimer timer(co_await asio::this_coro::executor, when);
  boost::system::error_code error;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  if (error) throw Cancelled();
}

std::unique_ptr<Alarm> SystemClock::alarm(const Executor& executor, MonoTime when, std::function<void()> ring) {
  return std::make_unique<TimerAlarm>(executor, when, std::move(ring));
}

}  // namespace ingot::base
