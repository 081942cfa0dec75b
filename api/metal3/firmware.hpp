// Firmware of a host: HostFirmwareSettings, its FirmwareSchema, HostFirmwareComponents (metal3.io/v1alpha1).
#pragma once

#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api {

struct SettingSchema {
  std::string attribute_type;
  std::vector<std::string> allowable_values;
  std::optional<std::int64_t> lower_bound, upper_bound, min_length, max_length;
  std::optional<bool> read_only, unique;

  static void describe(auto& v) {
    using S = SettingSchema;
    v.field("attribute_type", &S::attribute_type)
        .oneOf({"Enumeration", "String", "Integer", "Boolean", "Password"})
        .doc("Kind of the setting.");
    v.field("allowable_values", &S::allowable_values).doc("Values that an Enumeration may have.");
    v.field("lower_bound", &S::lower_bound).doc("Least value of an Integer.");
    v.field("upper_bound", &S::upper_bound).doc("Greatest value of an Integer.");
    v.field("min_length", &S::min_length).doc("Least length of a String.");
    v.field("max_length", &S::max_length).doc("Greatest length of a String.");
    v.field("read_only", &S::read_only).doc("True when the setting cannot be changed.");
    v.field("unique", &S::unique).doc("True when the value differs from host to host, such as a serial number.");
  }
  friend bool operator==(const SettingSchema&, const SettingSchema&) = default;
};

struct FirmwareSchemaSpec {
  std::string hardwareVendor, hardwareModel;
  std::map<std::string, SettingSchema> schema;

  static void describe(auto& v) {
    using S = FirmwareSchemaSpec;
    v.doc("Settings with their types and limits.");
    v.field("hardwareVendor", &S::hardwareVendor).doc("Vendor of the hosts.");
    v.field("hardwareModel", &S::hardwareModel).doc("Model of the hosts.");
    v.field("schema", &S::schema).required().doc("Descriptions of the settings, by name.");
  }
  friend bool operator==(const FirmwareSchemaSpec&, const FirmwareSchemaSpec&) = default;
};

struct FirmwareSchema {
  kube::ObjectMeta metadata;
  FirmwareSchemaSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("The firmware settings that hosts of one make have.");
    v.field("metadata", &FirmwareSchema::metadata);
    v.field("spec", &FirmwareSchema::spec);
  }
  friend bool operator==(const FirmwareSchema&, const FirmwareSchema&) = default;
};

struct HostFirmwareSettingsSpec {
  std::map<std::string, json::IntOrString> settings;

  static void describe(auto& v) {
    v.doc("Wanted firmware settings of the host.");
    v.field("settings", &HostFirmwareSettingsSpec::settings).required().doc("Settings to change, by name.");
  }
  friend bool operator==(const HostFirmwareSettingsSpec&, const HostFirmwareSettingsSpec&) = default;
};

// Absent when the name is empty.
struct SchemaReference {
  std::string name, namespace_;

  static void describe(auto& v) {
    v.field("name", &SchemaReference::name).required().doc("Name of the FirmwareSchema.");
    v.field("namespace", &SchemaReference::namespace_).required().doc("Namespace of the object.");
  }
  friend bool operator==(const SchemaReference&, const SchemaReference&) = default;
};

struct HostFirmwareSettingsStatus {
  std::optional<SchemaReference> schema;
  std::map<std::string, std::string> settings;
  std::optional<base::WallTime> lastUpdated;
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) {
    using S = HostFirmwareSettingsStatus;
    v.doc("Observed firmware settings of the host.");
    v.field("schema", &S::schema).doc("FirmwareSchema that describes the settings.");
    v.field("settings", &S::settings).required().doc("Current firmware settings, by name.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("conditions", &S::conditions).listMap({"type"}).doc("Conditions, one of each type.");
  }
  friend bool operator==(const HostFirmwareSettingsStatus&, const HostFirmwareSettingsStatus&) = default;
};

struct HostFirmwareSettings {
  kube::ObjectMeta metadata;
  HostFirmwareSettingsSpec spec;
  HostFirmwareSettingsStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("The firmware settings of the BareMetalHost of the same name.");
    v.field("metadata", &HostFirmwareSettings::metadata);
    v.field("spec", &HostFirmwareSettings::spec);
    v.field("status", &HostFirmwareSettings::status);
  }
  friend bool operator==(const HostFirmwareSettings&, const HostFirmwareSettings&) = default;
};

struct FirmwareUpdate {
  std::string component, url;

  static void describe(auto& v) {
    v.field("component", &FirmwareUpdate::component)
        .required()
        .doc("Component to update: bios, bmc, or nic: followed by the id of the NIC.");
    v.field("url", &FirmwareUpdate::url).required().doc("URL of the firmware image.");
  }
  friend bool operator==(const FirmwareUpdate&, const FirmwareUpdate&) = default;
};

struct HostFirmwareComponentsSpec {
  std::vector<FirmwareUpdate> updates;

  static void describe(auto& v) {
    v.doc("Wanted firmware of the host's components.");
    v.field("updates", &HostFirmwareComponentsSpec::updates).required().doc("Components to update.");
  }
  friend bool operator==(const HostFirmwareComponentsSpec&, const HostFirmwareComponentsSpec&) = default;
};

struct ComponentStatus {
  std::string component, initialVersion, currentVersion, lastVersionFlashed;
  std::optional<base::WallTime> updatedAt;

  static void describe(auto& v) {
    using S = ComponentStatus;
    v.field("component", &S::component).required().doc("Name of the component.");
    v.field("initialVersion", &S::initialVersion)
        .required()
        .doc("Version found when the component was first inspected.");
    v.field("currentVersion", &S::currentVersion).doc("Version that is installed.");
    v.field("lastVersionFlashed", &S::lastVersionFlashed).doc("Version that was installed last.");
    v.field("updatedAt", &S::updatedAt).doc("Time of the last update.");
  }
  friend bool operator==(const ComponentStatus&, const ComponentStatus&) = default;
};

struct HostFirmwareComponentsStatus {
  std::vector<FirmwareUpdate> updates;
  std::vector<ComponentStatus> components;
  std::optional<base::WallTime> lastUpdated;
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) {
    using S = HostFirmwareComponentsStatus;
    v.doc("The firmware that the host has.");
    v.field("updates", &S::updates).doc("Firmware updates that were applied last.");
    v.field("components", &S::components).doc("The components.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("conditions", &S::conditions).listMap({"type"}).doc("Conditions, one of each type.");
  }
  friend bool operator==(const HostFirmwareComponentsStatus&, const HostFirmwareComponentsStatus&) = default;
};

struct HostFirmwareComponents {
  kube::ObjectMeta metadata;
  HostFirmwareComponentsSpec spec;
  HostFirmwareComponentsStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("The firmware of the BareMetalHost of the same name.");
    v.field("metadata", &HostFirmwareComponents::metadata);
    v.field("spec", &HostFirmwareComponents::spec);
    v.field("status", &HostFirmwareComponents::status);
  }
  friend bool operator==(const HostFirmwareComponents&, const HostFirmwareComponents&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::FirmwareSchema>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostFirmwareSettings>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostFirmwareComponents>();
