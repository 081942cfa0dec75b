// All traffic of one account to one BMC passes its governor (docs/architecture.md): exchange by exchange, one at a
// time, the most urgent first; a BMC that does not answer is left alone for a while, a refused
// password is not tried again.
#pragma once

#include "base/runtime.hpp"
#include "bmc/error.hpp"
#include "bmc/traffic.hpp"

namespace ingot::bmc {

// What an exchange shows to the BMC. A session's token is none: whether it is good says nothing of the password.
enum class Credentials { none, password };

class Governor {
 public:
  // `account`: whose the password is.
  Governor(std::shared_ptr<Traffic> traffic, const std::string& account, const base::Secret& password);

  // The right to one exchange, until it dies.
  class Turn {
   public:
    Turn(std::shared_ptr<Traffic> traffic, Lane lane, std::optional<ConnectLimit::Place> place)
        : traffic_(std::move(traffic)), lane_(lane), place_(std::move(place)) {}
    Turn(Turn&& other) noexcept = default;
    Turn& operator=(Turn&&) = delete;
    ~Turn();
    // The BMC can be reached: others may open their connections.
    void connected() { place_.reset(); }
    // How the exchange ended. Without either it says nothing of the BMC.
    void answered() { traffic_->answered(); }
    void failed(Error::Code code);
    // As Traffic::whenWanted.
    [[nodiscard]] std::shared_ptr<void> whenWanted(std::function<void()> call) {
      return traffic_->whenWanted(std::move(call));
    }

   private:
    std::shared_ptr<Traffic> traffic_;
    Lane lane_;
    std::optional<ConnectLimit::Place> place_;
  };

  // Waits for a turn. Throws what the governor says, Error{…, Origin::governor}: `busy` when the lane is full;
  // `unreachable` at once while the circuit is open (an operator and fencing get a try all the same); `lockedOut` while
  // a refused password holds that the exchange would show, but for fencing, once in a while.
  [[nodiscard]] base::Task<Turn> enter(Lane lane, Credentials credentials);

  // What the BMC makes of the password. Say so before the turn ends: the next one may be about to show it, too.
  void passwordRefused() { traffic_->logins().refused(login_); }
  void passwordTaken() { traffic_->logins().accepted(login_); }

  [[nodiscard]] bool circuitOpen() const { return traffic_->circuitOpen(); }
  [[nodiscard]] bool lockedOut() const { return traffic_->logins().holds(login_); }

 private:
  void refuseEarly(Lane lane, Credentials credentials) const;

  std::shared_ptr<Traffic> traffic_;
  RefusedLogins::Key login_;
};

}  // namespace ingot::bmc
