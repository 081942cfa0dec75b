#include "agent/change_proof.hpp"

#include "bmc/power_change.hpp"

namespace ingot::agent {

namespace {

bmc::Power provedBy(bmc::PowerAction action) {
  switch (action) {
    case bmc::PowerAction::on:
    case bmc::PowerAction::hardOff:
    case bmc::PowerAction::softOff: return bmc::targetOf(action);
    case bmc::PowerAction::hardReboot:
    case bmc::PowerAction::softReboot:
    case bmc::PowerAction::hardRestart: return bmc::Power::unknown;
  }
  return bmc::Power::unknown;
}

}  // namespace

void ChangeProof::asked(bmc::PowerAction action) {
  ++round_;
  wanted_ = provedBy(action);
  found_.reset();
}

void ChangeProof::saw(int round, const bmc::PowerReading& reading) {
  const bool proves = wanted_ != bmc::Power::unknown && reading.power == wanted_ && !bmc::isOnItsWay(reading);
  if (round == round_ && proves) found_ = reading;
}

std::optional<bmc::PowerReading> ChangeProof::take() {
  if (found_) wanted_ = bmc::Power::unknown;
  return std::exchange(found_, std::nullopt);
}

}  // namespace ingot::agent
