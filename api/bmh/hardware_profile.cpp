#include "api/bmh/hardware_profile.hpp"

namespace ingot::api {

namespace {

struct Profile {
  std::string_view name, deviceName, hctl;
};

constexpr Profile kProfiles[] = {
    {"unknown", "/dev/sda", ""},  {"libvirt", "/dev/vda", ""},   {"dell", "", "0:0:0:0"},
    {"dell-raid", "", "0:2:0:0"}, {"openstack", "/dev/vdb", ""}, {"empty", "", ""},
};

}  // namespace

std::string hardwareProfileOf(const BareMetalHost& host) {
  if (!host.status.hardwareProfile.empty()) return host.status.hardwareProfile;
  if (!host.spec.hardwareProfile.empty()) return host.spec.hardwareProfile;
  return host.spec.bmc.address.starts_with("libvirt") ? "libvirt" : "unknown";
}

RootDeviceHints profileHints(std::string_view profile) {
  const auto* found = std::ranges::find(kProfiles, profile, &Profile::name);
  if (found == std::end(kProfiles))
    throw base::InvalidInput("hardwareProfile", fmt::format("no hardware profile named \"{}\"", profile));
  return {.deviceName = std::string(found->deviceName), .hctl = std::string(found->hctl)};
}

}  // namespace ingot::api
