#include "coordinator/host/ironic/instance.hpp"

#include "coordinator/host/ironic/record.hpp"

namespace ingot::coordinator::host::ironic_backend {

namespace {

using Field = std::optional<std::string>;  // nullopt: the node must not have it

Field orNone(const std::string& text) { return text.empty() ? std::nullopt : Field(text); }
json::Value jsonOf(const Field& field) { return field ? json::Value(*field) : json::Value(); }

struct ImageFields {
  Field source, diskFormat, checksum, hashAlgorithm, hashValue, pullSecret, bootIso;
};

bool hasUrl(const Deployment& wanted) { return !wanted.image.url.empty(); }
bool isCustom(const Deployment& wanted) { return !wanted.customDeployMethod.empty(); }
bool isLiveIso(const Deployment& wanted) { return !isCustom(wanted) && wanted.image.isLiveIso(); }

ImageFields direct(const Deployment& wanted) {
  const auto checksum = api::resolveChecksum(wanted.image);
  ImageFields out{.source = wanted.image.url,
                  .diskFormat = orNone(wanted.image.format),
                  .pullSecret = orNone(wanted.imagePullSecret)};
  if (checksum.type.empty()) {
    out.checksum = orNone(checksum.value);
  } else {
    out.hashAlgorithm = checksum.type;
    out.hashValue = checksum.value;
  }
  return out;
}

ImageFields custom(const Deployment& wanted) {
  if (!hasUrl(wanted)) return {};
  const auto checksum = api::resolveChecksum(wanted.image);
  ImageFields out{.source = wanted.image.url,
                  .diskFormat = orNone(wanted.image.format),
                  .pullSecret = orNone(wanted.imagePullSecret)};
  if (checksum.error.empty()) {
    out.hashAlgorithm = checksum.type;  // may be "": upstream sends it all the same
    out.hashValue = checksum.value;
  }
  return out;
}

void setImage(ironic::NodePatch& patch, const ImageFields& fields) {
  patch.set("instance_info", "boot_iso", jsonOf(fields.bootIso))
      .set("instance_info", "image_source", jsonOf(fields.source))
      .set("instance_info", "image_os_hash_algo", jsonOf(fields.hashAlgorithm))
      .set("instance_info", "image_os_hash_value", jsonOf(fields.hashValue))
      .set("instance_info", "image_checksum", jsonOf(fields.checksum));
}

void setImageDetails(ironic::NodePatch& patch, const ImageFields& fields) {
  patch.set("instance_info", "image_disk_format", jsonOf(fields.diskFormat))
      .set("instance_info", "image_pull_secret", jsonOf(fields.pullSecret));
}

std::string present(const json::Object& info, std::string_view key) { return json::textAt(info, {key}); }

}  // namespace

Deployment deploymentOf(const std::string& uid, const ProvisionData& data) {
  return {.uid = uid,
          .image = data.image.value_or(api::Image{}),
          .customDeployMethod = data.customDeployMethod,
          .bootMode = data.bootMode,
          .rootDeviceHints = data.rootDeviceHints,
          .imagePullSecret = data.imagePullSecret.reveal()};
}

std::string deployInterface(const Deployment& wanted) {
  if (isCustom(wanted)) return "custom-agent";
  return isLiveIso(wanted) ? "ramdisk" : "";
}

bool needsOtherDeployInterface(const ironic::Node& node, const Deployment& wanted) {
  const std::string want = deployInterface(wanted);
  if (!want.empty()) return node.deployInterface != want;
  return node.deployInterface == "ramdisk" || node.deployInterface == "custom-agent";
}

void setInstance(ironic::NodePatch& patch, const ironic::Node& node, const Deployment& wanted,
                 const Settings& settings) {
  patch.setText("", "instance_uuid", wanted.uid)
      .set("instance_info", "capabilities", instanceCapabilities(wanted.bootMode))
      .set("instance_info", "root_device", rootDevice(wanted.rootDeviceHints));
  const bool unusable = !isCustom(wanted) && !api::resolveChecksum(wanted.image).error.empty();
  if (unusable) return;  // never deployed: the operation refuses such an image
  if (isLiveIso(wanted)) {
    setImage(patch, {.bootIso = wanted.image.url});
    patch.setText("driver_info", "force_persistent_boot_device", settings.liveIsoForcePersistentBootDevice);
  } else {
    const ImageFields fields = isCustom(wanted) ? custom(wanted) : direct(wanted);
    setImage(patch, fields);
    setImageDetails(patch, fields);
    if (!isCustom(wanted))
      patch.setText("driver_info", "force_persistent_boot_device", settings.directDeployForcePersistentBootDevice);
  }
  if (needsOtherDeployInterface(node, wanted))
    patch.set("", "deploy_interface", jsonOf(orNone(deployInterface(wanted))));
}

bool readsAs(std::string_view told, std::string_view text) {
  constexpr std::string_view mask = "******";
  auto masked = told.find(mask);
  if (masked == std::string_view::npos || !text.starts_with(told.substr(0, masked))) return told == text;
  for (; masked != std::string_view::npos; masked = told.find(mask)) {
    const auto at = text.find(told.substr(0, masked));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + masked);
    told.remove_prefix(masked + mask.size());
  }
  return text.ends_with(told);
}

bool holdsOther(const ironic::Node& node, const api::Image& image) {
  if (image.url.empty() || image.isOci()) return false;
  const std::string told = present(node.instanceInfo, image.isLiveIso() ? "boot_iso" : "image_source");
  return !told.empty() && !readsAs(told, image.url);
}

bool sameImage(const ironic::Node& node, const api::Image& image) {
  const json::Object& info = node.instanceInfo;
  if (image.isLiveIso()) return readsAs(present(info, "boot_iso"), image.url);
  if (!readsAs(present(info, "image_source"), image.url)) return false;
  if (image.isOci()) return true;
  const auto checksum = api::resolveChecksum(image);
  if (checksum.type.empty())
    return readsAs(present(info, "image_checksum"), checksum.value) && present(info, "image_os_hash_algo").empty() &&
           present(info, "image_os_hash_value").empty();
  return present(info, "image_checksum").empty() && present(info, "image_os_hash_algo") == checksum.type &&
         present(info, "image_os_hash_value") == checksum.value;
}

}  // namespace ingot::coordinator::host::ironic_backend
