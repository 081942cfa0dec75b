#include "coordinator/host/ironic/record.hpp"

namespace ingot::coordinator::host::ironic_backend {

namespace {

std::string bootModeCapabilities(std::string_view bootMode) {
  if (bootMode == "UEFISecureBoot") return "boot_mode:uefi,secure_boot:true";
  if (bootMode == "legacy") return "boot_mode:bios";
  return "boot_mode:uefi";
}

void addHint(json::Object& out, std::string_view key, std::string_view relation, const std::string& value) {
  if (!value.empty()) out[key] = std::string(relation) + " " + value;
}

}  // namespace

bool acceptsUpdates(const ironic::Node& node) {
  using ironic::State;
  switch (node.state()) {
    case State::inspecting: return false;
    case State::deployFailed:
    case State::inspectFailed:
    case State::inspectWait:
    case State::cleanFailed:
    case State::error:
    case State::verifying:
    case State::adoptFailed:
    case State::rescueFailed:
    case State::unrescueFailed:
    case State::serviceHold:
    case State::serviceFailed: return true;
    default: return !node.hasTarget();
  }
}

std::string nodeName(std::string_view namespace_, std::string_view name) {
  return std::string(namespace_) + "~" + std::string(name);
}

std::string capabilities(const json::Object& properties, std::string_view bootMode) {
  std::string out;
  const std::string now = json::textAt(properties, {"capabilities"});
  std::string_view rest = now;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (item.empty() || item.starts_with("boot_mode:") || item.starts_with("secure_boot:")) continue;
    out += std::string(item) + ",";
  }
  return out + bootModeCapabilities(bootMode);
}

json::Object instanceCapabilities(std::string_view bootMode) {
  if (bootMode == "UEFISecureBoot") return {{"secure_boot", "true"}};
  return {};
}

json::Object rootDevice(const std::optional<api::RootDeviceHints>& hints) {
  json::Object out;
  if (!hints) return out;
  addHint(out, hints->deviceName.starts_with("/dev/disk/by-path/") ? "by_path" : "name", "s==", hints->deviceName);
  addHint(out, "hctl", "s==", hints->hctl);
  addHint(out, "model", "<in>", hints->model);
  addHint(out, "vendor", "<in>", hints->vendor);
  addHint(out, "serial", "s==", hints->serialNumber);
  if (hints->minSizeGigabytes != 0) out["size"] = ">= " + std::to_string(hints->minSizeGigabytes);
  addHint(out, "wwn", "s==", hints->wwn);
  addHint(out, "wwn_with_extension", "s==", hints->wwnWithExtension);
  addHint(out, "wwn_vendor_extension", "s==", hints->wwnVendorExtension);
  if (hints->rotational) out["rotational"] = *hints->rotational ? "true" : "false";
  return out;
}

void setDeployImage(ironic::NodePatch& patch, const Settings& settings, bool isoBoot) {
  json::Value kernel, ramdisk, iso;
  if (isoBoot && !settings.deployIsoUrl.empty()) {
    iso = settings.deployIsoUrl;
  } else if (!settings.deployKernelUrl.empty() && !settings.deployRamdiskUrl.empty()) {
    kernel = settings.deployKernelUrl;
    ramdisk = settings.deployRamdiskUrl;
  } else {
    return;
  }
  patch.set("driver_info", "deploy_kernel", std::move(kernel))
      .set("driver_info", "deploy_ramdisk", std::move(ramdisk))
      .set("driver_info", "deploy_iso", std::move(iso))
      .set("driver_info", "kernel_append_params", nullptr);
}

}  // namespace ingot::coordinator::host::ironic_backend
