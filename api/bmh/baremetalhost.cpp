#include "api/bmh/baremetalhost.hpp"

#include "api/bmh/names.hpp"
#include "api/kind_words.hpp"

namespace ingot::api {

namespace {

constexpr std::string_view kHostNames[] = {"bmh", "bmhost"};

constexpr kube::Column kHostColumns[] = {
    {.name = "Status",
     .type = "string",
     .jsonPath = ".status.operationalStatus",
     .priority = 1,
     .description = "Operational status"},
    {.name = "State", .type = "string", .jsonPath = ".status.provisioning.state", .description = "Provisioning state"},
    {.name = "Consumer", .type = "string", .jsonPath = ".spec.consumerRef.name", .description = "Who uses the host"},
    {.name = "BMC",
     .type = "string",
     .jsonPath = ".spec.bmc.address",
     .priority = 1,
     .description = "Address of the BMC"},
    {.name = "Online", .type = "string", .jsonPath = ".spec.online", .description = "Whether the host should be on"},
    {.name = "Error", .type = "string", .jsonPath = ".status.errorType", .description = "What went wrong last"},
    column::age,
};

}  // namespace

const kube::KindInfo BareMetalHost::info{
    .group = "metal3.io",
    .version = "v1alpha1",
    .kind = "BareMetalHost",
    .plural = "baremetalhosts",
    .statusSubresource = true,
    .shortNames = kHostNames,
    .columns = kHostColumns,
    .doc = "A physical server.",
};

bool BareMetalHost::hasBmcDetails() const { return !spec.bmc.address.empty() || !spec.bmc.credentialsName.empty(); }

bool BareMetalHost::inspectionDisabled() const {
  if (spec.inspectionMode == "disabled") return true;
  const std::string* value = metadata.annotation(std::string(annotation::inspect));
  return value && *value == "disabled";
}

bool BareMetalHost::needsProvisioning() const {
  if (!spec.online) return false;
  const bool newImage = spec.image && !spec.image->url.empty() && status.provisioning.image.url.empty();
  const bool newCustomDeploy =
      spec.customDeploy && !spec.customDeploy->method.empty() && status.provisioning.customDeploy != spec.customDeploy;
  return newImage || newCustomDeploy;
}

bool BareMetalHost::wasProvisioned() const {
  if (spec.externallyProvisioned) return false;
  return !status.provisioning.image.url.empty() || status.provisioning.customDeploy.has_value();
}

bool BareMetalHost::needsHardwareInspection() const {
  return !spec.externallyProvisioned && !wasProvisioned() && !inspectionDisabled() && !status.hardware;
}

std::string BareMetalHost::effectiveBootMode() const { return spec.bootMode.empty() ? "UEFI" : spec.bootMode; }

bool CredentialsStatus::matches(std::string_view secretNamespace, std::string_view secretName,
                                std::string_view resourceVersion) const {
  return credentials && credentials->namespace_ == secretNamespace && credentials->name == secretName &&
         credentialsVersion == resourceVersion;
}

}  // namespace ingot::api

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalHost>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalHostSpec>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalHostStatus>();
