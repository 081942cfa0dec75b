// What the operator decides about provisioning through Ironic (spec/ironic.md §1.4, §8.1), from the environment.
#pragma once

#include "ironic-client/settings.hpp"

#include <string>

namespace ingot::coordinator::host::ironic_backend {

struct Settings {
  int provisioningLimit = 20;
  std::string deployKernelUrl, deployRamdiskUrl, deployIsoUrl;
  std::string liveIsoForcePersistentBootDevice = "Default";  // Default | Always | Never
  std::string directDeployForcePersistentBootDevice = "Default";
  std::string externalUrlV6;
  bool provisioningNetworkDisabled = false;
};

// Throws base::InvalidInput naming the variable.
[[nodiscard]] Settings settingsFrom(const ironic::Environment& environment);

}  // namespace ingot::coordinator::host::ironic_backend
