#include "coordinator/host/settings.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

base::Task<Step> preparing(Scope& s) {
  const HostSettings wanted = wantedSettings(s.host);
  const bool failedBefore = failedWith(s.host, ErrorType::preparation);
  const bool unprepared = failedBefore || settingsDiffer(s.host);

  PrepareData data{.targetRaid = wanted.raid, .actualRaid = s.host.status.provisioning.raid};
  data.rootDeviceHints = wanted.rootDeviceHints;
  if (failedBefore) data.actualRaid.reset();  // built from scratch

  const Prepared prepared = co_await s.backend.prepare(std::move(data), unprepared, failedBefore);
  if (!prepared.result.errorMessage.empty()) {
    if (unprepared) clearSettings(s.host);
    co_return Fail{ErrorType::preparation, prepared.result.errorMessage};
  }
  if (prepared.started) {
    clearError(s.host);
    if (unprepared) recordSettings(s.host, wanted);  // so that the next pass only waits
  }
  if (prepared.result.dirty) co_return Stay{prepared.result.requeueAfter};
  co_return Goto{State::available, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
