#include "coordinator/host/ironic/ownership.hpp"

namespace ingot::coordinator::host::ironic_backend {

bool ironicOwns(const ironic::Node& node) {
  return ironic::isTransient(node.state()) || node.hasTarget() || !node.targetPowerState.empty() ||
         !node.reservation.empty();
}

}  // namespace ingot::coordinator::host::ironic_backend
