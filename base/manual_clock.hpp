// The clock of the tests and of the whole-system simulation: time moves only when told to.
#pragma once

#include "base/clock.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace ingot::base {

class ManualClock final : public Clock {
 public:
  // Starts at a fixed instant (2026-01-01T00:00:00Z), so that runs repeat.
  explicit ManualClock(boost::asio::io_context& loop);
  ~ManualClock() override;

  [[nodiscard]] MonoTime now() const override;
  [[nodiscard]] WallTime wall() const override;
  [[nodiscard]] Task<void> sleepUntil(MonoTime when) override;
  [[nodiscard]] std::unique_ptr<Alarm> alarm(const Executor& executor, MonoTime when,
                                             std::function<void()> ring) override;

  // Sets the time that people read, and no other, as chrony does after a boot with a wrong clock.
  void stepWall(Duration d) { wallOffset_ += d; }

  // Runs the loop until nothing is ready (time stands still).
  void settle();

  // Moves time forward by `d`, waking sleepers in order of their wake-up time and settling after each.
  void advance(Duration d);

  // Advances from wake-up to wake-up until `done` holds; false when `limit` of virtual time has passed first.
  [[nodiscard]] bool advanceUntil(const std::function<bool()>& done, Duration limit);

  // When the next sleeper wakes up; nullopt when nobody sleeps.
  [[nodiscard]] std::optional<MonoTime> nextWake() const;

 private:
  struct Sleeper;
  class Bell;
  void wakeNext();
  boost::asio::io_context& loop_;
  MonoTime now_;
  Duration wallOffset_{};
  std::multimap<MonoTime, std::shared_ptr<Sleeper>> sleepers_;
};

}  // namespace ingot::base
