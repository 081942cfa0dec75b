// How to find the root disk among the disks of a host.
#pragma once

#include "json/describe.hpp"

namespace ingot::api {

struct RootDeviceHints {
  std::string deviceName, hctl, model, vendor, serialNumber, wwn, wwnWithExtension, wwnVendorExtension;
  std::int64_t minSizeGigabytes = 0;
  std::optional<bool> rotational;

  static void describe(auto& v) {
    v.field("deviceName", &RootDeviceHints::deviceName)
        .doc("Linux device, like /dev/vda or a /dev/disk/by-path/ link.");
    v.field("hctl", &RootDeviceHints::hctl).doc("SCSI address, like 0:0:0:0.");
    v.field("minSizeGigabytes", &RootDeviceHints::minSizeGigabytes).minimum(0).doc("Smallest size in GiB.");
    v.field("model", &RootDeviceHints::model).doc("Part of the model's name.");
    v.field("rotational", &RootDeviceHints::rotational).doc("True for a disk with spinning platters.");
    v.field("serialNumber", &RootDeviceHints::serialNumber).doc("Serial number.");
    v.field("vendor", &RootDeviceHints::vendor).doc("Part of the vendor's name.");
    v.field("wwn", &RootDeviceHints::wwn).doc("World Wide Name.");
    v.field("wwnVendorExtension", &RootDeviceHints::wwnVendorExtension)
        .doc("The vendor's extension of the World Wide Name.");
    v.field("wwnWithExtension", &RootDeviceHints::wwnWithExtension).doc("World Wide Name with the vendor's extension.");
  }
  friend bool operator==(const RootDeviceHints&, const RootDeviceHints&) = default;
};

}  // namespace ingot::api
