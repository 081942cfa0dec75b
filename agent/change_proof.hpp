// Whether a power change that was asked for has come true, whoever looked: a state that is reached and lost again
// between two looks of the one who waits for it was reached all the same. Pure.
#pragma once

#include "bmc/driver.hpp"

#include <optional>

namespace ingot::agent {

class ChangeProof {
 public:
  // A request has been put to the BMC: what was read before says nothing of it. One look never proves a restart.
  void asked(bmc::PowerAction action);

  // Taken before a reading, given back with it: a reading counts only for what was asked before it began.
  [[nodiscard]] int round() const { return round_; }
  void saw(int round, const bmc::PowerReading& reading);

  // The reading that proves the change, once; then the change is over.
  [[nodiscard]] std::optional<bmc::PowerReading> take();

 private:
  bmc::Power wanted_ = bmc::Power::unknown;  // unknown: nothing is waited for
  int round_ = 0;
  std::optional<bmc::PowerReading> found_;
};

}  // namespace ingot::agent
