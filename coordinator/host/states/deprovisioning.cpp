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

}  // namespace

base::Task<Step> deprovisioning(Scope& s) {
  if (s.host.wasProvisioned()) {
    if (auto wait = co_await ensureAdopted(s)) co_return *wait;
  }
  const bool restart = failedWith(s.host, ErrorType::provisioning);
  co_await s.cluster.confirm(s.host);
  const Result result = co_await s.backend.deprovision(restart, s.host.spec.automatedCleaningMode);
  if (!result.errorMessage.empty()) co_return Fail{ErrorType::provisioning, result.errorMessage};
  if (result.dirty) co_return working(s, result);
  if (s.host.metadata.annotations.erase(std::string(api::annotation::reboot)) > 0) co_return Stay{atOnce};

  clearError(s.host);
  forgetDeployment(s.host);
  co_return Goto{beingDeleted(s.host) ? State::poweringOffBeforeDelete : State::available, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
