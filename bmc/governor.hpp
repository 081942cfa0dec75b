// All of our traffic to one BMC passes its governor (DESIGN §8): one request at a time, the most urgent first, at a
// bounded rate; a BMC that does not answer is left alone for a while, a refused password is not tried again.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"
#include "bmc/error.hpp"

#include <array>
#include <deque>

namespace ingot::bmc {

// Who may go first. Within a lane: first come, first served.
enum class Lane { fencing, operatorCommand, reconcile, polling };

struct GovernorOptions {
  std::size_t concurrency = 1;
  base::Duration minInterval{};  // between the end of one request and the start of the next
  std::size_t queueLimit = 32;   // per lane; more: Error{busy}
  unsigned failuresToOpen = 3;   // in a row, unreachable or timeout, before the circuit opens
  base::Backoff breaker{.first = std::chrono::seconds(5), .cap = std::chrono::minutes(5), .factor = 2, .jitter = 0.25};
  base::Duration lockout = std::chrono::seconds(60);  // after the first refusal; then ×5
  base::Duration lockoutCap = std::chrono::seconds(900);
};

class Governor {
 public:
  Governor(base::Runtime runtime, GovernorOptions options);
  ~Governor();  // waiters are woken with base::Cancelled
  Governor(const Governor&) = delete;
  Governor& operator=(const Governor&) = delete;

  // Runs `request` when its turn comes and learns from how it ended. Throws what the request throws; Error{busy} when
  // the lane is full; Error{unreachable} at once while the circuit is open (polling and reconcile lanes only: an
  // operator and a fencing power-off always get a try); Error{lockedOut} while a refused password holds.
  template <class T>
  [[nodiscard]] base::Task<T> run(Lane lane, std::function<base::Task<T>()> request) {
    Turn turn = co_await enter(lane);
    try {
      if constexpr (std::is_void_v<T>) {
        co_await request();
        turn.succeeded();
      } else {
        T result = co_await request();
        turn.succeeded();
        co_return result;
      }
    } catch (const Error& error) {
      turn.failed(error.code());
      throw;
    }
  }

  // The credentials were changed: the next request may log in again.
  void credentialsChanged();

  [[nodiscard]] bool circuitOpen() const;
  [[nodiscard]] bool lockedOut() const;
  [[nodiscard]] std::size_t waiting() const;

 private:
  class Turn {
   public:
    explicit Turn(Governor& governor) : governor_(&governor) {}
    Turn(Turn&& other) noexcept : governor_(std::exchange(other.governor_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn();
    void succeeded();
    void failed(Error::Code code);

   private:
    Governor* governor_;
  };
  struct Waiter;

  [[nodiscard]] base::Task<Turn> enter(Lane lane);
  void refuseEarly(Lane lane) const;
  void leave();
  void wakeNext();
  [[nodiscard]] Waiter* mostUrgent() const;

  base::Runtime runtime_;
  GovernorOptions options_;
  std::array<std::deque<std::shared_ptr<Waiter>>, 4> lanes_;
  std::size_t running_ = 0;
  base::MonoTime lastEnd_{};
  bool everRan_ = false;

  unsigned failures_ = 0;  // unreachable or timeout in a row
  base::MonoTime openUntil_{};
  unsigned refusals_ = 0;  // refused passwords in a row
  base::MonoTime lockedUntil_{};
};

}  // namespace ingot::bmc
