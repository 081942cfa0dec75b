// RAID volumes wanted on a host, or last applied to it.
#pragma once

#include "api/bmh/root_device_hints.hpp"

namespace ingot::api {

struct HardwareRaidVolume {
  std::string level, name, controller;
  std::optional<std::int64_t> sizeGibibytes, numberOfPhysicalDisks;
  std::optional<bool> rotational;
  std::vector<std::string> physicalDisks;

  static void describe(auto& v) {
    v.field("controller", &HardwareRaidVolume::controller).doc("RAID controller to use.");
    v.field("level", &HardwareRaidVolume::level)
        .required()
        .oneOf({"0", "1", "2", "5", "6", "1+0", "5+0", "6+0"})
        .doc("RAID level.");
    v.field("name", &HardwareRaidVolume::name).maxLength(64).doc("Name of the volume, unique on the host.");
    v.field("numberOfPhysicalDisks", &HardwareRaidVolume::numberOfPhysicalDisks)
        .minimum(1)
        .doc("Number of physical disks to use.");
    v.field("physicalDisks", &HardwareRaidVolume::physicalDisks).doc("The disks to use, by the controller's names.");
    v.field("rotational", &HardwareRaidVolume::rotational).doc("Take only disks with (or without) spinning platters.");
    v.field("sizeGibibytes", &HardwareRaidVolume::sizeGibibytes)
        .minimum(0)
        .doc("Size in GiB; none means all there is.");
  }
  friend bool operator==(const HardwareRaidVolume&, const HardwareRaidVolume&) = default;
};

struct SoftwareRaidVolume {
  std::string level;
  std::vector<RootDeviceHints> physicalDisks;
  std::optional<bool> rootVolume;
  std::optional<std::int64_t> sizeGibibytes;

  static void describe(auto& v) {
    v.field("level", &SoftwareRaidVolume::level).required().oneOf({"0", "1", "1+0"}).doc("RAID level.");
    v.field("physicalDisks", &SoftwareRaidVolume::physicalDisks).minItems(2).doc("Hints for the disks to use.");
    v.field("rootVolume", &SoftwareRaidVolume::rootVolume).defaultTo(false).doc("Deploy the image to this volume.");
    v.field("sizeGibibytes", &SoftwareRaidVolume::sizeGibibytes)
        .minimum(0)
        .doc("Size in GiB; none means all there is.");
  }
  friend bool operator==(const SoftwareRaidVolume&, const SoftwareRaidVolume&) = default;
};

// null, [] and content of a list are three different wishes (spec/baremetalhost.md §8.5), so both are always written.
struct RaidConfig {
  std::optional<std::vector<HardwareRaidVolume>> hardwareRAIDVolumes;
  std::optional<std::vector<SoftwareRaidVolume>> softwareRAIDVolumes;

  static void describe(auto& v) {
    v.field("hardwareRAIDVolumes", &RaidConfig::hardwareRAIDVolumes)
        .always()
        .nullable()
        .doc("Volumes of RAID controllers. Null leaves the present ones alone; an empty list removes them.");
    v.field("softwareRAIDVolumes", &RaidConfig::softwareRAIDVolumes)
        .always()
        .nullable()
        .maxItems(2)
        .doc(
            "Volumes of software RAID; the first must have level 1. Null leaves the present ones alone; an empty list "
            "removes them.");
  }
  friend bool operator==(const RaidConfig&, const RaidConfig&) = default;
};

}  // namespace ingot::api
