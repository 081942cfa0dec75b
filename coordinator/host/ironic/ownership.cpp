#include "coordinator/host/ironic/ownership.hpp"

namespace ingot::coordinator::host::ironic_backend {

bool ironicOwns(const ironic::Node& node) {
  return ironic::isTransient(node.state()) || node.hasTarget() || !node.targetPowerState.empty() ||
         !node.reservation.empty();
}

bool owesErasure(const ironic::Node& node) {
  const auto* mark = node.extra.if_contains(owedMark);
  return mark != nullptr && mark->is_bool() && mark->get_bool() && node.state() == ironic::State::available;
}

bool isMarkedLent(const ironic::Node& node) { return node.maintenance && node.maintenanceReason == lentReason; }

bool isLent(const ironic::Node& node) { return isMarkedLent(node) && node.fault.empty() && !ironicOwns(node); }

}  // namespace ingot::coordinator::host::ironic_backend
