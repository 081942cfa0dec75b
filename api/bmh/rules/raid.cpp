#include "api/bmh/rules/rules.hpp"

namespace ingot::api::rules {

namespace {

void hardwareVolumes(const std::vector<HardwareRaidVolume>& volumes, Errors& errors) {
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const auto& v = volumes[i];
    if (v.physicalDisks.empty()) continue;
    if (v.controller.empty())
      errors.push_back(fmt::format("'physicalDisks' specified without 'controller' in hardware RAID volume {}", i));
    const auto disks = static_cast<std::int64_t>(v.physicalDisks.size());
    if (v.numberOfPhysicalDisks && *v.numberOfPhysicalDisks != disks)
      errors.push_back(
          fmt::format("the 'numberOfPhysicalDisks'[{}] and number of 'physicalDisks'[{}] is not same for volume {}",
                      *v.numberOfPhysicalDisks, disks, i));
  }
}

void softwareVolumes(const std::vector<SoftwareRaidVolume>& volumes, bool hasHints, Errors& errors) {
  const auto isRoot = [](const SoftwareRaidVolume& v) { return v.rootVolume.value_or(false); };
  const auto roots = std::ranges::count_if(volumes, isRoot);
  if (roots > 1) errors.emplace_back("softwareRAIDVolumes[*].rootVolume can only be set once");
  if (roots == 1 && hasHints)
    errors.emplace_back("softwareRAIDVolumes[*].rootVolume and rootDeviceHints can not be set at the same time");
  for (std::size_t i = 0; i < volumes.size(); ++i)
    if (isRoot(volumes[i]) && volumes[i].level != "1")
      errors.push_back(fmt::format("softwareRAIDVolumes[{}] with rootVolume set must use RAID level 1", i));
}

}  // namespace

void raid(const BareMetalHost& host, Errors& errors) {
  if (!host.spec.raid) return;
  const auto hardware = host.spec.raid->hardwareRAIDVolumes.value_or(std::vector<HardwareRaidVolume>{});
  const auto software = host.spec.raid->softwareRAIDVolumes.value_or(std::vector<SoftwareRaidVolume>{});
  if (!hardware.empty() && !software.empty())
    errors.emplace_back("hardwareRAIDVolumes and softwareRAIDVolumes can not be set at the same time");
  hardwareVolumes(hardware, errors);
  softwareVolumes(software, host.spec.rootDeviceHints.has_value(), errors);
}

}  // namespace ingot::api::rules
