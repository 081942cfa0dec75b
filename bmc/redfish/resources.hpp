// The parts of the Redfish resources that we read (spec/bmc.md §5). Everything is optional: BMCs leave out and null at
// will.
#pragma once

#include "bmc/redfish/fact.hpp"
#include "json/describe.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc::redfish {

struct Link {
  std::optional<std::string> id;
  static void describe(auto& v) { v.field("@odata.id", &Link::id); }
};

struct Status {
  Fact<std::string> state, health, healthRollup;
  static void describe(auto& v) {
    v.field("State", &Status::state);
    v.field("Health", &Status::health);
    v.field("HealthRollup", &Status::healthRollup);
  }
};

struct SessionResource {
  Fact<std::string> userName;
  static void describe(auto& v) { v.field("UserName", &SessionResource::userName); }
};

struct ProtocolFeatures {
  struct Expand {
    Fact<bool> levels;
    static void describe(auto& v) { v.field("Levels", &Expand::levels); }
  };
  Fact<Expand> expand;
  Fact<bool> topSkip;
  static void describe(auto& v) {
    v.field("ExpandQuery", &ProtocolFeatures::expand);
    v.field("TopSkipQuery", &ProtocolFeatures::topSkip);
  }
};

// What an object's members are called, as far as that may mean something; what they are is left.
struct MemberNames {
  std::vector<std::string> names;
};

}  // namespace ingot::bmc::redfish

namespace ingot::json {

template <>
struct Codec<bmc::redfish::MemberNames> {
  using MemberNames = bmc::redfish::MemberNames;
  static constexpr std::size_t most = 16, longest = 64;
  static void decode(const Value& v, MemberNames& out, Decoding& how) {
    if (!v.is_object()) how.expected("object", v);
    for (const auto& member : v.get_object())
      if (out.names.size() < most && member.key().size() <= longest) out.names.emplace_back(member.key());
  }
  static Value encode(const MemberNames& names) { return Codec<std::vector<std::string>>::encode(names.names); }
  static bool empty(const MemberNames& names) { return names.names.empty(); }
  static bool equal(const MemberNames& a, const MemberNames& b) { return a.names == b.names; }
  static void schema(Object& into) { into["type"] = "object"; }
};

}  // namespace ingot::json

namespace ingot::bmc::redfish {

struct ServiceRoot {
  struct Links {
    std::optional<Link> sessions;
    static void describe(auto& v) { v.field("Sessions", &Links::sessions); }
  };
  Fact<std::string> redfishVersion, vendor, product, uuid;
  std::optional<Link> systems;
  Fact<Link> sessionService, registries, eventService, updateService;
  Fact<Links> links;
  Fact<ProtocolFeatures> protocolFeatures;
  Fact<MemberNames> oem;
  static void describe(auto& v) {
    v.field("RedfishVersion", &ServiceRoot::redfishVersion);
    v.field("Vendor", &ServiceRoot::vendor);
    v.field("Product", &ServiceRoot::product);
    v.field("UUID", &ServiceRoot::uuid);
    v.field("Systems", &ServiceRoot::systems);
    v.field("SessionService", &ServiceRoot::sessionService);
    v.field("Registries", &ServiceRoot::registries);
    v.field("EventService", &ServiceRoot::eventService);
    v.field("UpdateService", &ServiceRoot::updateService);
    v.field("Links", &ServiceRoot::links);
    v.field("ProtocolFeaturesSupported", &ServiceRoot::protocolFeatures);
    v.field("Oem", &ServiceRoot::oem);
  }
};

// It is kept as long as its connection: without what is longer than anything that has a meaning.
void shorten(ServiceRoot& root);

struct Collection {
  std::vector<Link> members;
  std::optional<std::string> nextLink;
  static void describe(auto& v) {
    v.field("Members", &Collection::members);
    v.field("Members@odata.nextLink", &Collection::nextLink);
  }
};

// Some BMCs end paths in a slash.
[[nodiscard]] constexpr std::string_view withoutSlash(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

struct ResetAction {
  std::optional<std::string> target, actionInfo;
  std::optional<std::vector<std::string>> allowableValues;
  static void describe(auto& v) {
    v.field("target", &ResetAction::target);
    v.field("@Redfish.ActionInfo", &ResetAction::actionInfo);
    v.field("ResetType@Redfish.AllowableValues", &ResetAction::allowableValues);
  }
};

struct Actions {
  std::optional<ResetAction> reset;
  static void describe(auto& v) { v.field("#ComputerSystem.Reset", &Actions::reset); }
};

struct Boot {
  Fact<std::string> target;
  static void describe(auto& v) { v.field("BootSourceOverrideTarget", &Boot::target); }
};

struct BootProgress {
  Fact<std::string> lastState, oemLastState;
  static void describe(auto& v) {
    v.field("LastState", &BootProgress::lastState);
    v.field("OemLastState", &BootProgress::oemLastState);
  }
};

struct SystemLinks {
  std::vector<Link> managedBy, managers;
  static void describe(auto& v) {
    v.field("ManagedBy", &SystemLinks::managedBy);
    v.field("Managers", &SystemLinks::managers);
  }
};

struct System {
  std::optional<std::string> odataId, powerState;
  Fact<std::string> id, uuid, manufacturer, model, serialNumber, sku, systemType;
  Fact<Status> status;
  Fact<Actions> actions;  // who wants to use them says that they are not there
  Fact<Boot> boot;
  Fact<BootProgress> bootProgress;
  Fact<SystemLinks> links;
  static void describe(auto& v) {
    v.field("@odata.id", &System::odataId);
    v.field("Id", &System::id);
    v.field("UUID", &System::uuid);
    v.field("Manufacturer", &System::manufacturer);
    v.field("Model", &System::model);
    v.field("SerialNumber", &System::serialNumber);
    v.field("SKU", &System::sku);
    v.field("SystemType", &System::systemType);
    v.field("PowerState", &System::powerState);
    v.field("Status", &System::status);
    v.field("Actions", &System::actions);
    v.field("Boot", &System::boot);
    v.field("BootProgress", &System::bootProgress);
    v.field("Links", &System::links);
  }
};

struct ActionInfo {
  struct Parameter {
    std::optional<std::string> name;
    std::vector<std::string> allowableValues;
    static void describe(auto& v) {
      v.field("Name", &Parameter::name);
      v.field("AllowableValues", &Parameter::allowableValues);
    }
  };
  std::vector<Parameter> parameters;
  static void describe(auto& v) { v.field("Parameters", &ActionInfo::parameters); }
};

struct Manager {
  Fact<std::string> firmwareVersion, model, dateTime;
  static void describe(auto& v) {
    v.field("FirmwareVersion", &Manager::firmwareVersion);
    v.field("Model", &Manager::model);
    v.field("DateTime", &Manager::dateTime);
  }
};

}  // namespace ingot::bmc::redfish
