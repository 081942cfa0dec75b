#include "base/manual_clock.hpp"

#include "base/parking.hpp"

#include <boost/asio/post.hpp>

namespace asio = boost::asio;

namespace ingot::base {
namespace {

constexpr MonoTime kStart{std::chrono::hours(1000)};  // far from zero: subtracting an age stays positive
constexpr WallTime kWallStart = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);

}  // namespace

struct ManualClock::Sleeper : Parking {
  bool listed = true;          // still in the clock's map, so the clock is alive
  std::function<void()> ring;  // an alarm's; a coroutine that sleeps has none

  void wakeUp() {
    if (ring)
      ring();
    else
      wake();
  }
};

class ManualClock::Bell final : public Alarm {
 public:
  Bell(ManualClock& clock, const Executor& executor, MonoTime when, std::function<void()> ring)
      : clock_(clock), sleeper_(std::make_shared<Sleeper>()) {
    sleeper_->ring = [executor, call = std::move(ring), weak = std::weak_ptr(sleeper_)] {
      asio::post(executor, [call, weak] {
        if (!weak.expired()) call();
      });
    };
    if (when > clock_.now_) {
      place_ = clock_.sleepers_.emplace(when, sleeper_);
    } else {
      sleeper_->listed = false;
      sleeper_->ring();
    }
  }
  ~Bell() override {
    if (sleeper_->listed) clock_.sleepers_.erase(place_);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

 private:
  ManualClock& clock_;
  std::shared_ptr<Sleeper> sleeper_;
  std::multimap<MonoTime, std::shared_ptr<Sleeper>>::iterator place_;
};

ManualClock::ManualClock(asio::io_context& loop) : loop_(loop), now_(kStart) {}

ManualClock::~ManualClock() {
  for (const auto& [when, sleeper] : sleepers_) {
    sleeper->listed = false;
    sleeper->cancel();
  }
}

MonoTime ManualClock::now() const { return now_; }
WallTime ManualClock::wall() const { return kWallStart + (now_ - kStart) + wallOffset_; }

Task<void> ManualClock::sleepUntil(MonoTime when) {
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  if (when <= now_) {
    co_await asio::post(asio::use_awaitable);
    throwIfCancelled(co_await asio::this_coro::cancellation_state);
    co_return;
  }
  const auto sleeper = std::make_shared<Sleeper>();
  const auto place = sleepers_.emplace(when, sleeper);
  if (co_await sleeper->wait()) co_return;
  if (sleeper->listed) sleepers_.erase(place);
  throw Cancelled();
}

std::unique_ptr<Alarm> ManualClock::alarm(const Executor& executor, MonoTime when, std::function<void()> ring) {
  return std::make_unique<Bell>(*this, executor, when, std::move(ring));
}

void ManualClock::settle() {
  do loop_.restart();
  while (loop_.poll() > 0);
}

std::optional<MonoTime> ManualClock::nextWake() const {
  if (sleepers_.empty()) return std::nullopt;
  return sleepers_.begin()->first;
}

void ManualClock::wakeNext() {
  const auto first = sleepers_.begin();
  const auto sleeper = first->second;
  now_ = std::max(now_, first->first);
  sleepers_.erase(first);
  sleeper->listed = false;
  sleeper->wakeUp();
  settle();
}

void ManualClock::advance(Duration d) {
  const auto target = now_ + d;
  settle();
  while (!sleepers_.empty() && sleepers_.begin()->first <= target) wakeNext();
  now_ = target;
  settle();
}

bool ManualClock::advanceUntil(const std::function<bool()>& done, Duration limit) {
  const auto end = now_ + limit;
  settle();
  while (!done()) {
    if (sleepers_.empty() || sleepers_.begin()->first > end) {
      now_ = end;
      settle();
      return done();
    }
    wakeNext();
  }
  return true;
}

}  // namespace ingot::base
