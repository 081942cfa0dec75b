#include "coordinator/host/intent.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/deployment.hpp"
#include "api/bmh/names.hpp"

namespace ingot::coordinator::host {
namespace {

constexpr std::string_view ownArchitecture =
#if defined(__aarch64__)
    "aarch64";
#else
    "x86_64";
#endif

}  // namespace

bool paused(const api::BareMetalHost& host) { return api::isHostPaused(host); }

bool beingDeleted(const api::BareMetalHost& host) { return host.metadata.deletionTimestamp.has_value(); }

bool inspectionRequested(const api::BareMetalHost& host) {
  const std::string* asked = findAnnotation(host, api::annotation::inspect);
  return asked != nullptr && *asked != "disabled";
}

bool provisioningCancelled(const api::BareMetalHost& host) { return api::isDeploymentWithdrawn(host); }

bool imageChangedUnderWay(const api::BareMetalHost& host) {
  const auto& tried = host.status.lastAttemptedImage;
  if (!tried || !host.spec.image) return false;
  const auto contentOf = [](const api::Image& image) {
    return std::tie(image.url, image.checksum, image.checksumType, image.format);
  };
  return contentOf(*tried) != contentOf(*host.spec.image);
}

std::string architecture(const api::BareMetalHost& host) {
  if (!host.spec.architecture.empty()) return host.spec.architecture;
  if (host.status.hardware && !host.status.hardware->cpu.arch.empty()) return host.status.hardware->cpu.arch;
  return std::string(ownArchitecture);
}

std::string imageUrl(const api::BareMetalHost& host) { return host.spec.image ? host.spec.image->url : ""; }

std::string customDeployMethod(const api::BareMetalHost& host) {
  return host.spec.customDeploy ? host.spec.customDeploy->method : "";
}

std::string provisionedImageUrl(const api::BareMetalHost& host) { return host.status.provisioning.image.url; }

std::string provisionedMethod(const api::BareMetalHost& host) {
  return host.status.provisioning.customDeploy ? host.status.provisioning.customDeploy->method : "";
}

}  // namespace ingot::coordinator::host
