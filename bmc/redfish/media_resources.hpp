// The parts of Redfish resources that virtual media are found and used by (spec/bmc.md §8.1).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

// A manager, by the systems that it serves.
struct MediaManager {
  struct Links {
    std::vector<Link> servers;
    static void describe(auto& v) { v.field("ManagerForServers", &Links::servers); }
  };
  Fact<Link> virtualMedia;
  Fact<Links> links;
  static void describe(auto& v) {
    v.field("VirtualMedia", &MediaManager::virtualMedia);
    v.field("Links", &MediaManager::links);
  }
};

// A system.
struct MediaHolder {
  Fact<Link> virtualMedia;
  Fact<SystemLinks> links;
  static void describe(auto& v) {
    v.field("VirtualMedia", &MediaHolder::virtualMedia);
    v.field("Links", &MediaHolder::links);
  }
};

struct MediaAction {
  Fact<std::string> target;
  static void describe(auto& v) { v.field("target", &MediaAction::target); }
};

struct MediaActions {
  Fact<MediaAction> insert, eject;
  static void describe(auto& v) {
    v.field("#VirtualMedia.InsertMedia", &MediaActions::insert);
    v.field("#VirtualMedia.EjectMedia", &MediaActions::eject);
  }
};

struct VirtualMediaResource {
  Fact<std::string> id, image;
  Fact<bool> inserted;
  Fact<std::vector<std::string>> mediaTypes;
  Fact<MediaActions> actions;
  static void describe(auto& v) {
    v.field("Id", &VirtualMediaResource::id);
    v.field("Image", &VirtualMediaResource::image);
    v.field("Inserted", &VirtualMediaResource::inserted);
    v.field("MediaTypes", &VirtualMediaResource::mediaTypes);
    v.field("Actions", &VirtualMediaResource::actions);
  }
};

}  // namespace ingot::bmc::redfish
