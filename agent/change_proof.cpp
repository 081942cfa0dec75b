#include "agent/change_proof.hpp"

#include "bmc/power_change.hpp"

namespace ingot::agent {

void ChangeProof::requested(bmc::PowerAction action) {
  ++round_;
  wanted_ = bmc::provedBy(action);
  found_.reset();
}

void ChangeProof::observe(int round, const bmc::PowerReading& reading) {
  const bool proves = wanted_ != bmc::Power::unknown && reading.power == wanted_ && !bmc::isTransitional(reading);
  if (round == round_ && proves) found_ = reading;
}

std::optional<bmc::PowerReading> ChangeProof::take() {
  if (found_) wanted_ = bmc::Power::unknown;
  return std::exchange(found_, std::nullopt);
}

}  // namespace ingot::agent
