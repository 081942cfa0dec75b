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
          .inspectionMode = host.spec.inspectionMode,
          .restartOnFailure = failedWith(host, ErrorType::inspection),
          .refresh = inspectionRequested(host),
          .forceReboot = rebootForced(host.metadata.annotations)};
}

// What keeps the HardwareData from being written; nullopt: it is.
base::Task<std::optional<Fail>> store(Scope& s, api::HardwareDetails details) {
  try {
    co_await s.cluster.storeHardwareData(s.host, std::move(details));
  } catch (const kube::Error& error) {
    if (!refusedForGood(error)) throw;
    co_return Fail{ErrorType::inspection, fmt::format("the HardwareData cannot be written: {}", error.what())};
  }
  co_return std::nullopt;
}

base::Task<Inspected> inspect(Scope& s, InspectData data) {
  const bool mayAsk = s.outOfBand != nullptr && (data.inspectionMode == "fast" || !s.backend.inspects());
  auto own = mayAsk ? co_await s.outOfBand->inspect(poweredHost(s.host), s.backend) : std::nullopt;
  if (!own) co_return co_await s.backend.inspectHardware(std::move(data));
  if (own->begun) s.journal.event("InspectionStarted", "Hardware inspection started");
  if (std::holds_alternative<api::HardwareDetails>(own->found)) {
    s.journal.event("InspectionComplete", "Hardware inspection completed");
    // Not before: whoever comes after us, or a backend that has to do it after all, must know of the request.
    s.host.metadata.annotations.erase(std::string(api::annotation::inspect));
    for (const auto& why : own->unread)
      s.journal.event("InspectionIncomplete",
                      fmt::format("the BMC did not show all of the hardware: {}", discreet(s, why)));
  }
  co_return std::move(own->found);
}

}  // namespace

base::Task<Step> inspecting(Scope& s) {
  if (s.host.inspectionDisabled()) {
    if (inspectionRequested(s.host)) s.host.metadata.annotations.erase(std::string(api::annotation::inspect));
    s.journal.event("InspectionSkipped", "disabled by user");
    co_return Goto{State::preparing, Failures::forgotten};
  }
  const bool refresh = inspectionRequested(s.host);
  Inspected found = co_await inspect(s, dataFor(s.host));
  if (const auto* refused = std::get_if<Refused>(&found)) co_return Fail{ErrorType::inspection, refused->message};
  if (const auto* work = std::get_if<Working>(&found)) {
    if (work->started && consumeRequests(s.host, refresh)) co_return Stay{atOnce};
    co_return working(s, *work);
  }
  auto& details = std::get<api::HardwareDetails>(found);
  if (auto refused = co_await store(s, details)) co_return std::move(*refused);
  clearError(s.host);
  s.host.status.hardware = std::move(details);
  co_return Goto{State::preparing, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
