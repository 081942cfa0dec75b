#include "coordinator/host/settings.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

base::Task<Step> preparing(Scope& s) {
  const HostSettings wanted = wantedSettings(s.host);
  const bool failedBefore = failedWith(s.host, ErrorType::preparation);
  const bool unprepared = failedBefore || settingsDiffer(s.host);

  const Progress progress = co_await s.backend.prepare({.targetRaid = wanted.raid,
                                                        .actualRaid = s.host.status.provisioning.raid,
                                                        .rootDeviceHints = wanted.rootDeviceHints,
                                                        .unprepared = unprepared,
                                                        .restartOnFailure = failedBefore});
  if (const auto* refused = std::get_if<Refused>(&progress)) {
    if (unprepared) clearSettings(s.host);
    co_return Fail{ErrorType::preparation, refused->message};
  }
  const auto* work = std::get_if<Working>(&progress);
  const bool begun = work == nullptr || work->started;
  if (unprepared && begun) {
    clearError(s.host);
    recordSettings(s.host, wanted);  // so that the next pass only waits
  }
  if (work != nullptr) {
    showObstacle(s, *work);
    co_return Stay{work->after, work->obstacle};
  }
  if (erasesOutOfBand(s))
    if (auto why = s.cleaning->whyNot(s.host); !why.empty()) co_return Fail{ErrorType::preparation, std::move(why)};
  co_return Goto{State::available, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
