#include "coordinator/host/profile.hpp"

namespace ingot::coordinator::host {
namespace {

constexpr Profile profiles[] = {
    {"unknown", "/dev/sda", ""}, {"libvirt", "/dev/vda", ""},   {"dell", "", "0:0:0:0"},
    {"dell-raid", "", "0:2:0:0"}, {"openstack", "/dev/vdb", ""}, {"empty", "", ""},
};

}  // namespace

std::string profileName(const api::BareMetalHost& host) {
  if (!host.status.hardwareProfile.empty()) return host.status.hardwareProfile;
  if (!host.spec.hardwareProfile.empty()) return host.spec.hardwareProfile;
  return host.spec.bmc.address.starts_with("libvirt") ? "libvirt" : "unknown";
}

const Profile* findProfile(std::string_view name) {
  for (const Profile& profile : profiles) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

std::optional<api::RootDeviceHints> hintsOf(const Profile& profile) {
  if (profile.deviceName.empty() && profile.hctl.empty()) return std::nullopt;
  api::RootDeviceHints hints;
  hints.deviceName = profile.deviceName;
  hints.hctl = profile.hctl;
  return hints;
}

}  // namespace ingot::coordinator::host
