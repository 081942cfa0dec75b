// Rules that look at single fields of the spec.
#include "api/bmh/rules/rules.hpp"
#include "base/text.hpp"

#include <set>

namespace ingot::api::rules {

void firmware(const BareMetalHost& host, Errors& errors) {
  if (host.spec.firmware)
    errors.emplace_back("the Firmware field is no longer supported, use HostFirmwareSettings resource instead");
}

void secretReferences(const BareMetalHost& host, Errors& errors) {
  secretsOfOtherNamespaces(
      BareMetalHost::info.plural, host.metadata,
      {{"userData", host.spec.userData}, {"networkData", host.spec.networkData}, {"metaData", host.spec.metaData}},
      errors);
}

void secretsOfOtherNamespaces(std::string_view resource, const kube::ObjectMeta& metadata,
                              std::initializer_list<NamedSecret> secrets, Errors& errors) {
  for (const auto& [field, to] : secrets)
    if (to && !to->namespace_.empty() && to->namespace_ != metadata.namespace_)
      errors.push_back(
          fmt::format("{}.metal3.io \"{}\" is forbidden: {}: cross-namespace Secret references are not allowed",
                      resource, metadata.name, field));
}

void rootDevice(const BareMetalHost& host, Errors& errors) {
  if (!host.spec.rootDeviceHints || host.spec.rootDeviceHints->deviceName.empty()) return;
  constexpr std::string_view kDev = "/dev/", kByPath = "disk/by-path/";
  const std::string& device = host.spec.rootDeviceHints->deviceName;
  if (!device.starts_with(kDev)) {
    errors.push_back(fmt::format("device name of root device hint must be a /dev/ path, not \"{}\"", device));
    return;
  }
  std::string_view rest = std::string_view(device).substr(kDev.size());
  if (rest.starts_with(kByPath)) rest.remove_prefix(kByPath.size());
  if (rest.find('/') != std::string_view::npos)
    errors.push_back(
        fmt::format("device name of root device hint must be path in /dev/ or /dev/disk/by-path/, not \"{}\"", device));
}

void power(const BareMetalHost& host, Errors& errors) {
  if (host.spec.disablePowerOff && !host.spec.online)
    errors.emplace_back("node can't simultaneously have online set to false and have power off disabled");
}

void networkInterfaces(const BareMetalHost& host, Errors& errors) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < host.spec.networkInterfaces.size(); ++i) {
    const auto& nic = host.spec.networkInterfaces[i];
    const std::string subject = fmt::format("networkInterfaces[{}]: ", i);
    if (nic.name.empty() && nic.macAddress.empty()) {
      errors.push_back(subject + "must specify either name or macAddress");
    } else if (!nic.name.empty() && !nic.macAddress.empty()) {
      errors.push_back(subject + "name and macAddress are mutually exclusive");
    } else {
      const std::string& key = nic.macAddress.empty() ? nic.name : nic.macAddress;
      if (!seen.insert(base::lower(key)).second)
        errors.push_back(fmt::format("{}duplicate interface selector for \"{}\"", subject, key));
    }
  }
}

}  // namespace ingot::api::rules
