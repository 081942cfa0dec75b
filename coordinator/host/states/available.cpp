#include "api/bmh/names.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/boot_choice.hpp"
#include "coordinator/host/config_data.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/power.hpp"
#include "coordinator/host/settings.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

// Nothing is to be deployed: what went wrong with an earlier image is forgotten.
void forgetAttempts(api::BareMetalHost& host) {
  if (!imageUrl(host).empty() || host.status.provisioningFailCount == 0) return;
  host.status.provisioningFailCount = 0;
  host.status.lastAttemptedImage.reset();
}

std::optional<Step> retryLimit(Scope& s) {
  auto& status = s.host.status;
  if (s.host.spec.image != status.lastAttemptedImage) status.provisioningFailCount = 0;
  const int limit = s.policy.maxProvisioningRetries;
  if (limit == 0 || status.provisioningFailCount < limit) return std::nullopt;
  return Fail{ErrorType::provisioning, fmt::format("provisioning failed {} times, retry limit ({}) reached; "
                                                   "change image or reset provisioningFailCount to retry",
                                                   status.provisioningFailCount, limit)};
}

// A request that spec.inspectionMode forbids ends here: left standing it would be found again in every pass.
Step skipInspection(Scope& s) {
  s.host.metadata.annotations.erase(std::string(api::annotation::inspect));
  s.journal.event("InspectionSkipped", "disabled by user");
  return Stay{atOnce};
}

}  // namespace

base::Task<Step> available(Scope& s) {
  if (s.host.spec.externallyProvisioned) {
    clearSettings(s.host);
    co_return Goto{State::externallyProvisioned};
  }
  if (inspectionRequested(s.host)) {
    if (s.host.inspectionDisabled()) co_return skipInspection(s);
    co_return Goto{State::inspecting};
  }
  if (settingsDiffer(s.host)) co_return Goto{State::preparing};

  forgetAttempts(s.host);
  if (!s.host.needsProvisioning()) {
    if (failedWith(s.host, ErrorType::provisioning)) clearError(s.host);  // nobody wants what could not be provisioned
    co_return co_await managePower(s, stateOf(s.host));
  }
  if (auto refused = retryLimit(s)) co_return *refused;
  // Said here, where the host can wait: a failure in provisioning means tearing down what was begun.
  if (auto problem = co_await configDataProblem(s)) {
    co_return Fail{ErrorType::provisioning, problem->what(), problem->retryAfter()};
  }
  if (auto why = whyNotBootedSo(s); !why.empty()) co_return Fail{ErrorType::provisioning, std::move(why)};
  if (auto why = whyBootedByBackend(s); !why.empty()) s.journal.event("BootedByIronic", std::move(why));
  clearError(s.host);
  s.host.status.lastAttemptedImage = s.host.spec.image;
  co_return Goto{State::provisioning};
}

}  // namespace ingot::coordinator::host::states
