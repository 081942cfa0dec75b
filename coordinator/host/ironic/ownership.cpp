#include "coordinator/host/ironic/ownership.hpp"

namespace ingot::coordinator::host::ironic_backend {

std::string_view textOf(BootPhase phase) {
  switch (phase) {
    case BootPhase::none: return "";
    case BootPhase::lent: return "lent";
    case BootPhase::booted: return "booted";
    case BootPhase::ejected: return "ejected";
  }
  return "";
}

bool ironicOwns(const ironic::Node& node) {
  return ironic::isTransient(node.state()) || node.hasTarget() || !node.targetPowerState.empty() ||
         !node.reservation.empty();
}

bool owesErasure(const ironic::Node& node) {
  const auto* mark = node.extra.if_contains(owedMark);
  return mark != nullptr && mark->is_bool() && mark->get_bool() && node.state() == ironic::State::available;
}

BootPhase bootPhaseOf(const ironic::Node& node) {
  const std::string mark = json::textAt(node.extra, {bootMark});
  for (const auto phase : {BootPhase::lent, BootPhase::booted, BootPhase::ejected})
    if (mark == textOf(phase)) return phase;
  return BootPhase::none;
}

void setBootPhase(ironic::NodePatch& patch, BootPhase phase) {
  patch.set("extra", bootMark, phase == BootPhase::none ? json::Value() : json::Value(textOf(phase)));
}

bool owesEjection(const ironic::Node& node) {
  const auto phase = bootPhaseOf(node);
  return phase == BootPhase::lent || phase == BootPhase::booted;
}

bool isBootedByAgent(const ironic::Node& node) {
  return bootPhaseOf(node) == BootPhase::booted && !json::textAt(node.instanceInfo, {"boot_iso"}).empty() &&
         json::textAt(node.instanceInfo, {"image_source"}).empty();
}

bool isMarkedLent(const ironic::Node& node) {
  return node.maintenance && (node.maintenanceReason == lentReason || node.maintenanceReason == lentToBootReason);
}

bool isLent(const ironic::Node& node) { return isMarkedLent(node) && node.fault.empty() && !ironicOwns(node); }

bool leavesLentAsItIs(const ironic::Node& node, std::optional<bool> provedOn) {
  if (!isMarkedLent(node) || !node.fault.empty() || node.hasTarget() || ironic::isTransient(node.state())) return false;
  const auto& target = node.targetPowerState;
  return target.empty() || (provedOn && target == (*provedOn ? "power on" : "power off"));
}

}  // namespace ingot::coordinator::host::ironic_backend
