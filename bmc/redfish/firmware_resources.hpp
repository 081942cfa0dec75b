// The parts of Redfish resources that firmware is read from (spec/bmc.md §11.1).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

struct UpdateService {
  Fact<Link> firmwareInventory;
  static void describe(auto& v) { v.field("FirmwareInventory", &UpdateService::firmwareInventory); }
};

struct SoftwareInventory {
  Fact<std::string> id, name, version, releaseDate;
  Fact<bool> updateable;
  Fact<std::vector<Link>> relatedItems;
  Fact<Status> status;
  static void describe(auto& v) {
    using S = SoftwareInventory;
    v.field("Id", &S::id);
    v.field("Name", &S::name);
    v.field("Version", &S::version);
    v.field("ReleaseDate", &S::releaseDate);
    v.field("Updateable", &S::updateable);
    v.field("RelatedItem", &S::relatedItems);
    v.field("Status", &S::status);
  }
};

}  // namespace ingot::bmc::redfish
