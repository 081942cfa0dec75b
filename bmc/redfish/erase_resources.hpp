// The parts of Redfish resources that drives are erased by (spec/bmc.md §12).
#pragma once

#include "bmc/redfish/hardware.hpp"

namespace ingot::bmc::redfish {

struct SecureErase {
  Fact<std::string> target, actionInfo;
  Fact<std::vector<std::string>> types;
  static void describe(auto& v) {
    v.field("target", &SecureErase::target);
    v.field("@Redfish.ActionInfo", &SecureErase::actionInfo);
    v.field("SanitizationType@Redfish.AllowableValues", &SecureErase::types);
  }
};

struct DriveActions {
  Fact<SecureErase> secureErase;
  static void describe(auto& v) { v.field("#Drive.SecureErase", &DriveActions::secureErase); }
};

struct DriveLinks {
  std::vector<Link> volumes;
  static void describe(auto& v) { v.field("Volumes", &DriveLinks::volumes); }
};

struct DriveOperation {
  Fact<std::string> name;
  Fact<double> percent;
  static void describe(auto& v) {
    v.field("OperationName", &DriveOperation::name);
    v.field("PercentageComplete", &DriveOperation::percent);
  }
};

struct DriveToErase : Drive {
  Fact<DriveActions> actions;
  Fact<DriveLinks> links;
  Fact<std::vector<DriveOperation>> operations;
  Fact<std::string> encryption;
  static void describe(auto& v) {
    Drive::describe(v);
    v.field("Actions", &DriveToErase::actions);
    v.field("Links", &DriveToErase::links);
    v.field("Operations", &DriveToErase::operations);
    v.field("EncryptionStatus", &DriveToErase::encryption);
  }
};

struct Volume {
  Fact<std::string> id, name, raidType;
  Fact<std::string> volumeType;  // of firmware older than RAIDType
  static void describe(auto& v) {
    v.field("Id", &Volume::id);
    v.field("Name", &Volume::name);
    v.field("RAIDType", &Volume::raidType);
    v.field("VolumeType", &Volume::volumeType);
  }
};

struct StorageHolder {
  Fact<Link> storage;
  static void describe(auto& v) { v.field("Storage", &StorageHolder::storage); }
};

}  // namespace ingot::bmc::redfish
