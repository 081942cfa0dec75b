// The server as Ironic drives it.
#pragma once

#include "tests/matrix/plant.hpp"

namespace ingot::tests::matrix {

// It fails as real ones do: with a text in last_error.
class Board final : public FakeMachine {
 public:
  explicit Board(Server& server) : server_(server) {}
  bool poweredOn() const override { return server_.bmc.powerState == "On"; }
  void setPower(bool on) override {
    server_.bmc.powerState = on ? "On" : "Off";
    server_.onPower(on);
  }
  std::string unreachable() const override {
    if (server_.trouble == Fault::passwordRefused) return "the BMC refused the user name or password";
    if (server_.trouble == Fault::bmcAnswers500) return "HTTP 500: internal error of the BMC";
    if (server_.trouble == Fault::bmcHangs) return "request to the BMC timed out";
    return "";
  }
  std::string disobedience() const override {
    if (server_.trouble == Fault::bmcIgnoresResets) return "the machine is still in its old power state";
    return unreachable();
  }

 private:
  Server& server_;
};

}  // namespace ingot::tests::matrix
