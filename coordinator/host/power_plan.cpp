#include "coordinator/host/power_plan.hpp"

#include "api/bmh/names.hpp"

namespace ingot::coordinator::host {

PowerPlan planPower(const api::BareMetalHost& host, State state, std::optional<bool> seen) {
  if (!seen) return {PowerMove::wait};
  if (*seen != host.status.poweredOn) return {PowerMove::record};
  if (!*seen && host.metadata.annotations.contains(std::string(api::annotation::reboot)))
    return {PowerMove::dropReboot};

  const RebootRequest reboot = rebootRequested(host.metadata.annotations, state != State::provisioned);
  const bool wanted = reboot.wanted ? false : host.spec.online;
  if (*seen == wanted) return {PowerMove::none, reboot.mode, reboot.wanted};
  if (wanted) return {PowerMove::turnOn};
  // A second try after a failure does not ask the operating system again.
  const RebootMode mode = host.status.errorCount > 0 ? RebootMode::hard : reboot.mode;
  return {PowerMove::turnOff, mode, reboot.wanted};
}

}  // namespace ingot::coordinator::host
