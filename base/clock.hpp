// Time is injected: nothing in Ingot calls std::chrono's clocks or asio timers itself.
#pragma once

#include "base/task.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::base {

using Duration = std::chrono::nanoseconds;
using MonoTime = std::chrono::steady_clock::time_point;  // for deadlines and ages
using WallTime = std::chrono::system_clock::time_point;  // for timestamps that people read

// A call that is still to come; it does not come any more once this has gone.
class Alarm {
 public:
  virtual ~Alarm() = default;
};

class Clock {
 public:
  virtual ~Clock() = default;

  [[nodiscard]] virtual MonoTime now() const = 0;
  [[nodiscard]] virtual WallTime wall() const = 0;

  // Resumes on the calling coroutine's executor at or after `when`; at once (but through the loop) if it has
  // passed. Throws base::Cancelled when the coroutine is cancelled.
  [[nodiscard]] virtual Task<void> sleepUntil(MonoTime when) = 0;

  // Calls `ring` once, on `executor`, at or after `when`. A deadline that is hardly ever met costs less so than by a
  // coroutine that sleeps.
  [[nodiscard]] virtual std::unique_ptr<Alarm> alarm(const Executor& executor, MonoTime when,
                                                     std::function<void()> ring) = 0;

  [[nodiscard]] Task<void> sleepFor(Duration d) { return sleepUntil(now() + d); }
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] MonoTime now() const override;
  [[nodiscard]] WallTime wall() const override;
  [[nodiscard]] Task<void> sleepUntil(MonoTime when) override;
  [[nodiscard]] std::unique_ptr<Alarm> alarm(const Executor& executor, MonoTime when,
                                             std::function<void()> ring) override;
};

// RFC 3339 in UTC with whole seconds ("2026-01-31T10:00:00Z") and with microseconds, as Kubernetes writes Time and
// MicroTime. parse accepts both and any offset; nullopt for anything else.
[[nodiscard]] std::string formatTime(WallTime t);
[[nodiscard]] std::string formatMicroTime(WallTime t);
[[nodiscard]] std::optional<WallTime> parseTime(std::string_view text);

}  // namespace ingot::base
