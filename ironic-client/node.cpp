#include "ironic-client/node.hpp"

namespace ingot::ironic {

bool isTransient(State state) {
  switch (state) {
    case State::verifying:
    case State::deployWait:
    case State::deploying:
    case State::deployComplete:
    case State::deployHold:
    case State::deleting:
    case State::deleted:
    case State::cleaning:
    case State::cleanWait:
    case State::cleanHold:
    case State::rebuild:
    case State::inspecting:
    case State::inspectWait:
    case State::adopting:
    case State::rescuing:
    case State::rescueWait:
    case State::unrescuing:
    case State::servicing:
    case State::serviceWait:
    case State::serviceHold: return true;
    case State::unknown:
    case State::enroll:
    case State::manageable:
    case State::available:
    case State::active:
    case State::deployFailed:
    case State::cleanFailed:
    case State::error:
    case State::inspectFailed:
    case State::adoptFailed:
    case State::rescue:
    case State::rescueFailed:
    case State::unrescueFailed:
    case State::serviceFailed: return false;
  }
  return false;
}

std::optional<bool> Node::poweredOn() const {
  if (powerState == "power on") return true;
  if (powerState == "power off") return false;
  return std::nullopt;
}

}  // namespace ingot::ironic
