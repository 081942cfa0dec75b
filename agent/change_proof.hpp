// Whether a requested power change has happened, by every reading of the BMC and not only by those of the command that
// waits for it: a state that is reached and lost again between two of its readings counts. Pure.
#pragma once

#include "bmc/capability/power.hpp"

#include <optional>

namespace ingot::agent {

class ChangeProof {
 public:
  // The BMC has been sent a request: earlier readings prove nothing about it. No reading proves a restart.
  void requested(bmc::PowerAction action);

  // Take the round before a reading and pass it with the reading: it counts only for requests that preceded it.
  [[nodiscard]] int round() const { return round_; }
  void observe(int round, const bmc::PowerReading& reading);

  // The reading that proves the change. It is returned once; then nothing is waited for.
  [[nodiscard]] std::optional<bmc::PowerReading> take();

 private:
  bmc::Power wanted_ = bmc::Power::unknown;  // unknown: nothing is waited for
  int round_ = 0;
  std::optional<bmc::PowerReading> found_;
};

}  // namespace ingot::agent
