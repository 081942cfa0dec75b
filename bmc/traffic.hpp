// What all that speak to one BMC share: whose turn it is, its pace, and whether it answers at all.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"
#include "bmc/model/address.hpp"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace ingot::bmc {

// Who may go first. Within a lane: first come, first served. `logout` closes a session with the session's own token.
enum class Lane { fencing, operatorCommand, reconcile, polling, logout };
inline constexpr std::size_t laneCount = 5;

struct GovernorOptions {
  std::size_t concurrency = 1;
  base::Duration minInterval{};  // between the end of one request and the start of the next
  std::size_t queueLimit = 32;   // per lane; more: Error{busy}
  unsigned failuresToOpen = 3;   // in a row, unreachable or timeout, before the circuit opens
  base::Backoff breaker{.first = std::chrono::seconds(5), .cap = std::chrono::minutes(5), .factor = 2, .jitter = 0.25};
  base::Duration lockout = std::chrono::seconds(60);  // after the first refusal; then ×5
  base::Duration lockoutCap = std::chrono::seconds(900);
};

class Traffic {
 public:
  Traffic(base::Runtime runtime, GovernorOptions options) : runtime_(std::move(runtime)), options_(options) {}
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  // Waits for a turn, which leave() ends. Throws Error{busy} when the lane is full.
  [[nodiscard]] base::Task<void> enter(Lane lane);
  void leave();

  void answered();
  void failed();  // unreachable, or no answer in time

  [[nodiscard]] bool circuitOpen() const { return runtime_.clock.now() < openUntil_; }
  [[nodiscard]] unsigned failures() const { return failures_; }  // in a row
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] const base::Runtime& runtime() const { return runtime_; }
  [[nodiscard]] const GovernorOptions& options() const { return options_; }

 private:
  struct Waiter;
  void wakeNext();
  [[nodiscard]] Waiter* mostUrgent() const;

  base::Runtime runtime_;
  GovernorOptions options_;
  std::array<std::deque<std::shared_ptr<Waiter>>, laneCount> lanes_;
  std::size_t running_ = 0;
  base::MonoTime lastEnd_{};
  bool everRan_ = false;
  unsigned failures_ = 0;
  base::MonoTime openUntil_{};
};

// One Traffic a BMC, however many hosts it has.
class TrafficPool {
 public:
  TrafficPool(base::Runtime runtime, GovernorOptions options) : runtime_(std::move(runtime)), options_(options) {}

  // By protocol, host and port.
  [[nodiscard]] std::shared_ptr<Traffic> of(const Address& address);

 private:
  base::Runtime runtime_;
  GovernorOptions options_;
  std::map<std::string, std::weak_ptr<Traffic>> traffics_;
};

}  // namespace ingot::bmc
