#include "coordinator/host/ironic/settings.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "net/url.hpp"

#include <algorithm>
#include <charconv>

namespace ingot::coordinator::host::ironic_backend {

namespace {

std::string textOr(const ironic::Environment& environment, std::string_view name, std::string_view fallback) {
  const auto value = environment(name);
  return value && !value->empty() ? *value : std::string(fallback);
}

std::string bootDeviceOption(const ironic::Environment& environment, std::string_view name) {
  std::string value = textOr(environment, name, "Default");
  if (value != "Default" && value != "Always" && value != "Never")
    throw base::InvalidInput(std::string(name), "\"" + value + "\" is not one of Default, Always, Never");
  return value;
}

int limitFrom(const ironic::Environment& environment) {
  const std::string text = textOr(environment, "PROVISIONING_LIMIT", "20");
  int limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc() || end != text.data() + text.size())
    throw base::InvalidInput("PROVISIONING_LIMIT", "\"" + text + "\" is not a number");
  return limit;
}

bool isTrue(std::string_view text) { return base::lower(text) == "true"; }

}  // namespace

Settings settingsFrom(const ironic::Environment& environment) {
  Settings out;
  out.provisioningLimit = limitFrom(environment);
  out.deployKernelUrl = textOr(environment, "DEPLOY_KERNEL_URL", "");
  out.deployRamdiskUrl = textOr(environment, "DEPLOY_RAMDISK_URL", "");
  out.deployIsoUrl = textOr(environment, "DEPLOY_ISO_URL", "");
  if (out.deployKernelUrl.empty() != out.deployRamdiskUrl.empty())
    throw base::InvalidInput("DEPLOY_KERNEL_URL", "DEPLOY_KERNEL_URL and DEPLOY_RAMDISK_URL can only be set together");
  out.liveIsoForcePersistentBootDevice = bootDeviceOption(environment, "LIVE_ISO_FORCE_PERSISTENT_BOOT_DEVICE");
  out.directDeployForcePersistentBootDevice =
      bootDeviceOption(environment, "DIRECT_DEPLOY_FORCE_PERSISTENT_BOOT_DEVICE");
  out.externalUrlV6 = textOr(environment, "IRONIC_EXTERNAL_URL_V6", "");
  if (!out.externalUrlV6.empty() && !net::parseUrl(out.externalUrlV6))
    throw base::InvalidInput("IRONIC_EXTERNAL_URL_V6", "\"" + out.externalUrlV6 + "\" is not a URL");
  out.provisioningNetworkDisabled = isTrue(textOr(environment, "PROVISIONING_NETWORK_DISABLED", "false"));
  return out;
}

}  // namespace ingot::coordinator::host::ironic_backend
