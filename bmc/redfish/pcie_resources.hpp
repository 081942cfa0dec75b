// The parts of Redfish resources that PCIe devices are read from (spec/bmc.md §17.2).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

struct PcieDeviceResource {
  struct PartLocation {
    Fact<std::string> label, kind, ordinal;
    static void describe(auto& v) {
      v.field("ServiceLabel", &PartLocation::label);
      v.field("LocationType", &PartLocation::kind);
      v.field("LocationOrdinalValue", &PartLocation::ordinal);
    }
  };
  struct Location {
    Fact<PartLocation> part;
    static void describe(auto& v) { v.field("PartLocation", &Location::part); }
  };
  struct Slot {
    Fact<Location> location;
    static void describe(auto& v) { v.field("Location", &Slot::location); }
  };
  struct Links {
    std::vector<Link> functions;
    static void describe(auto& v) { v.field("PCIeFunctions", &Links::functions); }
  };
  Fact<std::string> id, name, manufacturer, model;
  Fact<Slot> slot;
  Fact<Link> functions;
  Fact<Links> links;  // where older ones have their functions
  Fact<Status> status;
  static void describe(auto& v) {
    using D = PcieDeviceResource;
    v.field("Id", &D::id);
    v.field("Name", &D::name);
    v.field("Manufacturer", &D::manufacturer);
    v.field("Model", &D::model);
    v.field("Slot", &D::slot);
    v.field("PCIeFunctions", &D::functions);
    v.field("Links", &D::links);
    v.field("Status", &D::status);
  }
};

struct PcieFunctionResource {
  Fact<std::string> deviceClass, classCode, vendorId, deviceId, subsystemVendorId, subsystemId, revision;
  static void describe(auto& v) {
    using F = PcieFunctionResource;
    v.field("DeviceClass", &F::deviceClass);
    v.field("ClassCode", &F::classCode);
    v.field("VendorId", &F::vendorId);
    v.field("DeviceId", &F::deviceId);
    v.field("SubsystemVendorId", &F::subsystemVendorId);
    v.field("SubsystemId", &F::subsystemId);
    v.field("RevisionId", &F::revision);
  }
};

}  // namespace ingot::bmc::redfish
