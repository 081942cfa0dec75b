#include "api/bmh/names.hpp"
#include "coordinator/host/adoption.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/settings.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

void forgetDeployment(api::BareMetalHost& host) {
  host.status.provisioning.image = {};
  host.status.provisioning.customDeploy.reset();
  clearSettings(host);
}

// A deletion counts each try, so that it ends.
base::Task<Step> failed(Scope& s, Refused refused) {
  const bool powerLost = co_await s.backend.hasPowerFailure();
  co_return Fail{powerLost ? ErrorType::powerManagement : ErrorType::provisioning, std::move(refused.message),
                 beingDeleted(s.host) ? std::nullopt : refused.retryAfter, refused.aboutReach};
}

}  // namespace

base::Task<Step> deprovisioning(Scope& s) {
  if (s.host.wasProvisioned()) {
    if (auto wait = co_await ensureAdopted(s)) co_return *wait;
  }
  co_await s.cluster.confirm(s.host);
  const Progress progress =
      co_await s.backend.deprovision({.automatedCleaningMode = s.host.spec.automatedCleaningMode,
                                      .restartOnFailure = failedWith(s.host, ErrorType::provisioning)});
  if (const auto* refused = std::get_if<Refused>(&progress)) co_return co_await failed(s, *refused);
  if (const auto* work = std::get_if<Working>(&progress)) co_return working(s, *work);
  if (s.host.metadata.annotations.erase(std::string(api::annotation::reboot)) > 0) co_return Stay{atOnce};

  clearError(s.host);
  forgetDeployment(s.host);
  co_return Goto{beingDeleted(s.host) ? State::poweringOffBeforeDelete : State::available, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
