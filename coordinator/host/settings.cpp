#include "coordinator/host/settings.hpp"

#include "api/bmh/hardware_profile.hpp"

namespace ingot::coordinator::host {
namespace {

bool namesSoftwareRootVolume(const api::BareMetalHost& host) {
  if (!host.spec.raid || !host.spec.raid->softwareRAIDVolumes) return false;
  return std::ranges::any_of(*host.spec.raid->softwareRAIDVolumes,
                             [](const auto& volume) { return volume.rootVolume.value_or(false); });
}

std::optional<api::RootDeviceHints> wantedHints(const api::BareMetalHost& host) {
  if (namesSoftwareRootVolume(host)) return std::nullopt;
  if (host.spec.rootDeviceHints) return host.spec.rootDeviceHints;
  if (host.status.hardwareProfile.empty()) return std::nullopt;
  const api::RootDeviceHints hints = api::profileHints(host.status.hardwareProfile);
  return hints == api::RootDeviceHints{} ? std::nullopt : std::optional(hints);
}

// No RAID wanted: hardware volumes stay as they are, software volumes go.
std::optional<api::RaidConfig> withoutRaid(const std::optional<api::RaidConfig>& applied) {
  if (!applied) return std::nullopt;
  api::RaidConfig target;
  if (applied->hardwareRAIDVolumes && !applied->hardwareRAIDVolumes->empty()) {
    target.hardwareRAIDVolumes = applied->hardwareRAIDVolumes;
  }
  target.softwareRAIDVolumes.emplace();
  return target;
}

std::optional<api::RaidConfig> wantedRaid(const api::BareMetalHost& host) {
  const auto& asked = host.spec.raid;
  const bool nothingAsked = !asked || (!asked->hardwareRAIDVolumes && !asked->softwareRAIDVolumes);
  return nothingAsked ? withoutRaid(host.status.provisioning.raid) : asked;
}

}  // namespace

HostSettings appliedSettings(const api::BareMetalHost& host) {
  return {host.status.provisioning.rootDeviceHints, host.status.provisioning.raid};
}

HostSettings wantedSettings(const api::BareMetalHost& host) { return {wantedHints(host), wantedRaid(host)}; }

bool settingsDiffer(const api::BareMetalHost& host) {
  const HostSettings wanted = wantedSettings(host);
  return wanted.rootDeviceHints != host.status.provisioning.rootDeviceHints ||
         wanted.raid != host.status.provisioning.raid;
}

void recordSettings(api::BareMetalHost& host, const HostSettings& settings) {
  host.status.provisioning.rootDeviceHints = settings.rootDeviceHints;
  host.status.provisioning.raid = settings.raid;
}

void clearSettings(api::BareMetalHost& host) {
  auto& applied = host.status.provisioning;
  applied.rootDeviceHints.reset();
  // That there are none stays known.
  if (applied.raid && applied.raid->softwareRAIDVolumes && !applied.raid->softwareRAIDVolumes->empty())
    applied.raid->softwareRAIDVolumes.reset();
  applied.firmware.reset();
}

}  // namespace ingot::coordinator::host
