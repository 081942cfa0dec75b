#include "api/bmh/names.hpp"
#include "coordinator/host/config_data.hpp"
#include "coordinator/host/image_auth.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/power.hpp"
#include "coordinator/host/reboot.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

ProvisionData dataFor(const api::BareMetalHost& host, base::Secret pullSecret, HostConfigData& config) {
  return {.image = host.spec.image,
          .customDeployMethod = customDeployMethod(host),
          .bootMode = host.status.provisioning.bootMode,
          .cpuArchitecture = architecture(host),
          .rootDeviceHints = host.status.provisioning.rootDeviceHints,
          .imagePullSecret = std::move(pullSecret),
          .hostConfig = &config};
}

void recordDeployed(api::BareMetalHost& host) {
  auto& status = host.status;
  status.provisioning.image = host.spec.image.value_or(api::Image{});
  if (host.spec.customDeploy) status.provisioning.customDeploy = host.spec.customDeploy;
  status.provisioningFailCount = 0;
}

// The power as it is now rides on the write that says "provisioned".
base::Task<void> noteFirstPower(Scope& s) {
  const PowerReading reading = co_await notePower(s);
  if (reading.on) s.host.status.poweredOn = *reading.on;
}

}  // namespace

base::Task<Step> provisioning(Scope& s) {
  if (!s.host.status.errorType.empty()) {
    ++s.host.status.provisioningFailCount;
    co_return Goto{State::deprovisioning};
  }
  if (provisioningCancelled(s.host) || imageChangedUnderWay(s.host)) co_return Goto{State::deprovisioning};

  s.host.status.lastAttemptedImage = s.host.spec.image;
  const PullSecret pull = co_await imagePullSecret(s);
  if (!pull.problem.empty()) co_return Fail{ErrorType::provisioning, pull.problem};

  co_await s.cluster.confirm(s.host);
  ClusterConfigData config(s);
  const Result result = co_await s.backend.provision(dataFor(s.host, pull.credentials, config),
                                                     rebootForced(s.host.metadata.annotations));
  if (!result.errorMessage.empty()) co_return Fail{ErrorType::provisioning, result.errorMessage};
  if (s.host.metadata.annotations.erase(std::string(api::annotation::reboot)) > 0) co_return Stay{atOnce};
  if (result.dirty) co_return working(s, result);

  clearError(s.host);
  recordDeployed(s.host);
  co_await noteFirstPower(s);
  co_return Goto{State::provisioned, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
