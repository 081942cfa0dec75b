#include "api/bmh/names.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/reboot.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

// The requests that a new inspection fulfils. True when there was one.
bool consumeRequests(api::BareMetalHost& host, bool refresh) {
  auto& annotations = host.metadata.annotations;
  std::size_t taken = annotations.erase(std::string(api::annotation::reboot));
  if (refresh) taken += annotations.erase(std::string(api::annotation::inspect));
  return taken > 0;
}

InspectData dataFor(const api::BareMetalHost& host) {
  return {.bootMode = host.status.provisioning.bootMode,
          .cpuArchitecture = architecture(host),
          .inspectionMode = host.spec.inspectionMode};
}

}  // namespace

base::Task<Step> inspecting(Scope& s) {
  if (s.host.inspectionDisabled()) {
    s.journal.event("InspectionSkipped", "disabled by user");
    co_return Goto{State::preparing, Failures::forgotten};
  }
  const bool refresh = inspectionRequested(s.host);
  const bool restart = failedWith(s.host, ErrorType::inspection);
  Inspected found =
      co_await s.backend.inspectHardware(dataFor(s.host), restart, refresh, rebootForced(s.host.metadata.annotations));
  if (!found.result.errorMessage.empty()) co_return Fail{ErrorType::inspection, found.result.errorMessage};
  if (found.started && consumeRequests(s.host, refresh)) co_return Stay{atOnce};
  if (found.result.dirty || !found.details) co_return working(s, found.result);

  clearError(s.host);
  co_await s.cluster.storeHardwareData(s.host, *found.details);
  s.host.status.hardware = std::move(found.details);
  co_return Goto{State::preparing, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
