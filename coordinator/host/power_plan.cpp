#include "coordinator/host/power_plan.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "coordinator/host/power_watchdog.hpp"

namespace ingot::coordinator::host {

namespace {

constexpr std::string_view offlineRefused =
    "spec.online: false is not carried out, because spec.disablePowerOff is true: set one of them otherwise";
constexpr std::string_view holdRefused =
    "a reboot annotation with a key keeps a host off, which spec.disablePowerOff forbids: use reboot.metal3.io without "
    "a key to restart it";

// A restart in place of a power-off is done once, for a request that is taken off then. Nothing else ends by itself:
// the host would be restarted again and again (docs/decisions/0008).
PowerPlan planWithoutOff(const api::BareMetalHost& host, bool forcedOnly) {
  std::map<std::string, std::string> once;
  const auto request = host.metadata.annotations.find(std::string(api::annotation::reboot));
  if (request != host.metadata.annotations.end()) once.insert(*request);
  if (const RebootRequest reboot = rebootRequested(once, forcedOnly); reboot.wanted)
    return {PowerMove::turnOff, reboot.mode, true};
  return {PowerMove::refuse, RebootMode::soft, false, std::string(host.spec.online ? holdRefused : offlineRefused)};
}

}  // namespace

bool refusesOff(const api::BareMetalHost& host) {
  return host.status.errorMessage == offlineRefused || host.status.errorMessage == holdRefused;
}

PowerPlan planPower(const api::BareMetalHost& host, State state, std::optional<bool> seen) {
  if (!seen) return {PowerMove::wait};
  if (*seen != host.status.poweredOn) return {PowerMove::record};
  if (!*seen && isAnnotated(host, api::annotation::reboot)) return {PowerMove::dropReboot};

  const bool forcedOnly = !carriesSystem(state);
  const RebootRequest reboot = rebootRequested(host.metadata.annotations, forcedOnly);
  const bool wanted = reboot.wanted ? false : host.spec.online;
  if (*seen == wanted) return {PowerMove::none, reboot.mode, reboot.wanted};
  if (wanted) return {PowerMove::turnOn};
  // A second try after a failure does not ask the operating system again.
  const bool failedBefore = host.status.errorCount > 0 && !onlyWaits(host);
  PowerPlan plan = host.spec.disablePowerOff ? planWithoutOff(host, forcedOnly)
                                             : PowerPlan{PowerMove::turnOff, reboot.mode, reboot.wanted};
  if (failedBefore) plan.mode = RebootMode::hard;
  return plan;
}

}  // namespace ingot::coordinator::host
