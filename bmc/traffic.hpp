// What all that speak to one BMC share: whose turn it is, its pace, and whether it answers at all.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"
#include "bmc/connect_limit.hpp"
#include "bmc/expired_sweep.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/address.hpp"
#include "bmc/refused_logins.hpp"

#include <array>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>

namespace ingot::bmc {

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
    std::shared_ptr<ConnectLimit> connects;  // its routine readings have a place of that, too
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
  // exchanges. Whoever has a turn and waits for its interval gives way to an urgent lane: to fencing always, to
  // operators' commands twice where it asks for something short.
  // What comes with it is a place to open a connection, where these are limited: nobody keeps that while it waits for
  // the turn, nor the turn while it waits for that.
  [[nodiscard]] base::Task<std::optional<ConnectLimit::Place>> enter(Lane lane);
  void leave(Lane lane);

  // Of who has a turn and would end early: `call` is called, once, when an urgent request waits for one, and at once
  // where one does already. Until the handle dies.
  [[nodiscard]] std::shared_ptr<void> whenWanted(std::function<void()> call);

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

  using Queue = std::list<std::shared_ptr<Waiter>>;
  [[nodiscard]] Queue& queueOf(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }
  [[nodiscard]] const Queue& queueOf(Lane lane) const { return lanes_[static_cast<std::size_t>(lane)]; }
  [[nodiscard]] bool isWaiting(Lane lane) const;
  [[nodiscard]] bool isUrgentWaiting() const { return isWaiting(Lane::fencing) || isWaiting(Lane::operatorCommand); }
  [[nodiscard]] bool givesWay(Lane lane, int gave) const;

  [[nodiscard]] base::Task<void> enterHere(Lane lane);
  [[nodiscard]] base::Task<void> waitForRoom(Lane lane, bool isFirst);
  [[nodiscard]] base::Task<void> keepInterval(Lane lane);
  [[nodiscard]] bool tryEnterHere(Lane lane);
  void begin(Lane lane);
  void leaveHere(Lane lane);
  void giveBack(Lane lane);  // what was not used counts for no interval
  [[nodiscard]] base::Task<ConnectLimit::Place> enterConnecting(Lane lane);
  [[nodiscard]] bool hasRoomFor(Lane lane) const;
  void askToEnd();

  base::Runtime runtime_;
  GovernorOptions options_;
  std::string bmc_;
  std::shared_ptr<RefusedLogins> logins_;
  Shared shared_;
  std::array<Queue, laneCount> lanes_;  // hardly ever is anyone in one
  std::list<std::weak_ptr<std::function<void()>>> wouldEnd_;
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
  TrafficPool(base::Runtime runtime, GovernorOptions options, const std::string& refusedLogins = "",
              std::shared_ptr<base::Offload> disk = nullptr);

  // By protocol, host and port.
  [[nodiscard]] std::shared_ptr<Traffic> of(const Address& address);

 private:
  base::Runtime runtime_;
  GovernorOptions options_;
  std::shared_ptr<RefusedLogins> logins_;
  std::shared_ptr<Traffic> processes_;
  std::shared_ptr<ConnectLimit> connects_;
  std::map<std::string, std::weak_ptr<Traffic>> traffics_;
  ExpiredSweep sweep_;
};

}  // namespace ingot::bmc
