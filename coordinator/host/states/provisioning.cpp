#include "api/bmh/names.hpp"
#include "coordinator/host/boot_choice.hpp"
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
          .hostConfig = &config,
          .begun = host.status.operationHistory.provision.start,
          .forceReboot = rebootForced(host.metadata.annotations)};
}

void recordDeployed(api::BareMetalHost& host) {
  auto& status = host.status;
  status.provisioning.image = host.spec.image.value_or(api::Image{});
  if (host.spec.customDeploy) status.provisioning.customDeploy = host.spec.customDeploy;
  status.provisioningFailCount = 0;
}

// The power as it is now is saved in the same write that says "provisioned".
base::Task<void> noteFirstPower(Scope& s) {
  const PowerReading reading = co_await notePower(s);
  if (reading.on) s.host.status.poweredOn = *reading.on;
}

// A Secret that was there when provisioning began may have gone since: that fails the deployment.
base::Task<Progress> deploy(Scope& s, base::Secret pullSecret) {
  ClusterConfigData config(s, ConfigDataOf::deployment);
  if (auto why = whyNotBootedSo(s); !why.empty()) co_return Refused{std::move(why)};
  if (bootsOutOfBand(s)) co_return co_await bootOutOfBand(s, dataFor(s.host, std::move(pullSecret), config));
  if (s.boot != nullptr) s.boot->forget(s.host.metadata.uid);
  try {
    co_return co_await s.backend.provision(dataFor(s.host, std::move(pullSecret), config));
  } catch (const ConfigDataError& error) {
    co_return Refused{error.what()};
  }
}

}  // namespace

base::Task<Step> provisioning(Scope& s) {
  if (!s.host.status.errorType.empty()) {
    ++s.host.status.provisioningFailCount;
    co_return Goto{State::deprovisioning};
  }
  if (provisioningCancelled(s.host) || imageChangedUnderWay(s.host)) co_return Goto{State::deprovisioning};

  // Where the wish has none any more, that before it may have been begun yet (available.cpp forgets it).
  if (s.host.spec.image) s.host.status.lastAttemptedImage = s.host.spec.image;
  const PullSecret pull = co_await imagePullSecret(s);
  if (!pull.problem.empty()) co_return Fail{ErrorType::provisioning, pull.problem};

  co_await s.cluster.confirm(s.host);
  const Progress progress = co_await deploy(s, pull.credentials);
  if (const auto* refused = std::get_if<Refused>(&progress)) co_return Fail{ErrorType::provisioning, refused->message};
  if (s.host.metadata.annotations.erase(std::string(api::annotation::reboot)) > 0) co_return Stay{atOnce};
  if (const auto* work = std::get_if<Working>(&progress)) co_return working(s, *work);

  clearError(s.host);
  recordDeployed(s.host);
  co_await noteFirstPower(s);
  co_return Goto{State::provisioned, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
