// What a host runs, beside what it is to run. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>

namespace ingot::api {

// What was deployed, or is being deployed, is not what spec names any more: the host is deprovisioned.
[[nodiscard]] inline bool isDeploymentWithdrawn(const BareMetalHost& host) {
  const auto methodOf = [](const auto& deploy) { return deploy ? deploy->method : std::string(); };
  const std::string url = host.spec.image ? host.spec.image->url : "";
  const std::string& doneUrl = host.status.provisioning.image.url;
  const std::string method = methodOf(host.spec.customDeploy);
  const std::string doneMethod = methodOf(host.status.provisioning.customDeploy);

  if (!method.empty()) {
    if (!doneMethod.empty() && doneMethod != method) return true;
    return !doneUrl.empty() && url != doneUrl;
  }
  if (!doneMethod.empty()) return true;
  if (url.empty()) return true;
  return !doneUrl.empty() && url != doneUrl;
}

}  // namespace ingot::api
