// All of one host's traffic to its BMC passes its governor (docs/architecture.md): one request at a time to one BMC,
// the most urgent first, at a bounded rate; a BMC that does not answer is left alone for a while, a refused password is
// not tried again.
#pragma once

#include "base/runtime.hpp"
#include "bmc/error.hpp"
#include "bmc/traffic.hpp"

namespace ingot::bmc {

class Governor {
 public:
  // Of a BMC that nobody else speaks to.
  Governor(base::Runtime runtime, GovernorOptions options);
  // Of one that others may speak to as well.
  explicit Governor(std::shared_ptr<Traffic> traffic);
  ~Governor();  // after its requests have ended
  Governor(const Governor&) = delete;
  Governor& operator=(const Governor&) = delete;

  // Runs `request` when its turn comes and learns from how it ended. Throws what the request throws; Error{busy} when
  // the lane is full; Error{unreachable} at once while the circuit is open (an operator and a fencing power-off get a
  // try all the same); Error{busy} while a host whose polls end in errors is polled less often; Error{lockedOut} while
  // a refused password holds, but for a logout, which needs no password and whose success says nothing of one, and for
  // fencing, once in a while.
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

  // Whom the requests log in as.
  void useLogin(std::string username, base::Secret password);
  // Something was changed for the better: worth a try at once, unless the BMC has refused this password before.
  void beginAfresh();
  // The host is behind another BMC now; what is under way ends where it began.
  void moveTo(std::shared_ptr<Traffic> traffic);

  [[nodiscard]] bool circuitOpen() const { return traffic_->circuitOpen(); }
  [[nodiscard]] bool isSlowed() const;  // its requests ended in errors
  [[nodiscard]] bool lockedOut() const;
  [[nodiscard]] std::size_t waiting() const { return traffic_->waiting(); }

 private:
  class Turn {
   public:
    Turn(Governor& governor, std::shared_ptr<Traffic> traffic, RefusedLogins::Key login, Lane lane)
        : governor_(&governor), traffic_(std::move(traffic)), login_(std::move(login)), lane_(lane) {}
    Turn(Turn&& other) noexcept = default;
    Turn& operator=(Turn&&) = delete;
    ~Turn();
    void succeeded();
    void failed(Error::Code code);

   private:
    Governor* governor_;
    std::shared_ptr<Traffic> traffic_;
    RefusedLogins::Key login_;  // that it began with
    Lane lane_;
  };

  [[nodiscard]] base::Task<Turn> enter(Lane lane);
  void refuseEarly(Lane lane) const;
  [[noreturn]] void refuseLogin() const;
  void noteError(Lane lane);

  std::shared_ptr<Traffic> traffic_;
  std::string username_;
  base::Secret password_;
  RefusedLogins::Key login_;
  unsigned errors_ = 0;  // answers of that kind in a row
  base::MonoTime slowUntil_{};
};

}  // namespace ingot::bmc
