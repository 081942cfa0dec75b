// What all that speak to one BMC share: whose turn it is, its pace, and whether it answers at all.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"
#include "bmc/expired_sweep.hpp"
#include "bmc/model/address.hpp"
#include "bmc/reading_limit.hpp"
#include "bmc/refused_logins.hpp"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace ingot::bmc {

// Who may go first. Within a lane: first come, first served.
enum class Lane { fencing, operatorCommand, reconcile, polling, background };
inline constexpr std::size_t laneCount = 5;
[[nodiscard]] constexpr bool isUrgent(Lane lane) { return lane == Lane::fencing || lane == Lane::operatorCommand; }
[[nodiscard]] constexpr bool isUnasked(Lane lane) { return lane == Lane::polling || lane == Lane::background; }

struct GovernorOptions {
  std::size_t concurrency = 1;
  std::size_t reserved = 0;       // of them, for urgent lanes
  std::size_t background = 0;     // so many of them for the lane of that name; 0: all
  base::Duration minInterval{};   // between the end of one request and the start of the next
  std::size_t queueLimit = 1024;  // per lane; more: Error{busy}. A chassis has hundreds of hosts
  unsigned failuresToOpen = 3;    // in a row, unreachable or timeout, before the circuit opens
  base::Backoff breaker{.first = std::chrono::seconds(5), .cap = std::chrono::minutes(5), .factor = 2, .jitter = 0.25};
};

class Traffic : public std::enable_shared_from_this<Traffic> {
 public:
  // What it shares with other BMCs; nullptr: nothing.
  struct Shared {
    std::shared_ptr<Traffic> processes;      // a turn at it is one of theirs as well
    std::shared_ptr<ReadingLimit> readings;  // of those that nobody asked for
  };

  // `bmc`: names it among others.
  Traffic(base::Runtime runtime, GovernorOptions options, std::string bmc, std::shared_ptr<RefusedLogins> logins,
          Shared shared = {})
      : runtime_(std::move(runtime)),
        options_(options),
        bmc_(std::move(bmc)),
        logins_(std::move(logins)),
        shared_(std::move(shared)) {}
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  // Waits for a turn, which leave() ends. Throws Error{busy} when the lane is full. Whoever leaves an urgent lane and
  // enters it again before it waits for anything else has the next turn: nothing less urgent comes between its
  // exchanges.
  [[nodiscard]] base::Task<void> enter(Lane lane);
  void leave(Lane lane);

  // Of those that are limited for all BMCs together, before enter(): nobody keeps a turn while it waits for one.
  [[nodiscard]] base::Task<std::optional<ReadingLimit::Place>> place(Lane lane);

  void answered();
  void failed();  // unreachable, or no answer in time

  [[nodiscard]] bool circuitOpen() const { return runtime_.clock.now() < openUntil_; }
  [[nodiscard]] unsigned failures() const { return failures_; }  // in a row
  [[nodiscard]] const std::string& bmc() const { return bmc_; }
  [[nodiscard]] RefusedLogins& logins() { return *logins_; }

 private:
  struct Waiter;
  void wakeNext();
  [[nodiscard]] Waiter* mostUrgent() const;

  [[nodiscard]] base::Task<void> enterHere(Lane lane);
  [[nodiscard]] bool tryEnterHere(Lane lane);
  void begin(Lane lane);
  void leaveHere(Lane lane);
  [[nodiscard]] bool hasRoomFor(Lane lane) const;

  base::Runtime runtime_;
  GovernorOptions options_;
  std::string bmc_;
  std::shared_ptr<RefusedLogins> logins_;
  Shared shared_;
  std::array<std::deque<std::shared_ptr<Waiter>>, laneCount> lanes_;
  std::size_t running_ = 0, inBackground_ = 0;
  base::MonoTime lastEnd_{};
  bool everRan_ = false;
  unsigned failures_ = 0;
  base::MonoTime openUntil_{};
};

// What runs a program for each request: so many at a time, for all BMCs together.
inline constexpr GovernorOptions processLimits{
    .concurrency = 64, .reserved = 16, .background = 8, .queueLimit = 100'000};

// One Traffic a BMC, however many hosts it has.
class TrafficPool {
 public:
  // `refusedLogins`: the file that they are kept in (refused_logins.hpp).
  TrafficPool(base::Runtime runtime, GovernorOptions options, const std::string& refusedLogins = "");

  // By protocol, host and port.
  [[nodiscard]] std::shared_ptr<Traffic> of(const Address& address);

 private:
  base::Runtime runtime_;
  GovernorOptions options_;
  std::shared_ptr<RefusedLogins> logins_;
  std::shared_ptr<Traffic> processes_;
  std::shared_ptr<ReadingLimit> readings_;
  std::map<std::string, std::weak_ptr<Traffic>> traffics_;
  ExpiredSweep sweep_;
};

}  // namespace ingot::bmc
