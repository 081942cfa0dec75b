#include "cloudinit/config_drive.hpp"

#include "json/yaml.hpp"

#include <optional>

namespace ingot::cloudinit {

namespace {

// The mapping in a Secret's text; nullopt when the text holds nothing.
std::optional<json::Object> mappingIn(const base::Secret& source, const std::string& complaint) {
  json::Value document;
  try {
    document = json::parseYamlValue(source.reveal());
  } catch (const json::YamlError& error) {
    throw ConfigDriveError(complaint + error.what());
  }
  if (document.is_null()) return std::nullopt;
  if (!document.is_object())
    throw ConfigDriveError(complaint + "expected a mapping, got " + std::string(json::kindName(document)));
  return std::move(document.get_object());
}

}  // namespace

json::Object defaultMetaData(const Machine& machine) {
  return {{"uuid", machine.uid},
          {"metal3-namespace", machine.namespace_},
          {"metal3-name", machine.name},
          {"local-hostname", machine.name},
          {"local_hostname", machine.name},
          {"name", machine.name}};
}

json::Object configDrive(const Machine& machine, const Sources& sources) {
  json::Object metaData = defaultMetaData(machine);
  if (const auto overlay = mappingIn(sources.metaData, "failed to unmarshal metadata from secret: "))
    for (const auto& [key, value] : *overlay) metaData[key] = value;

  json::Object out{{"meta_data", std::move(metaData)}};
  if (auto network = mappingIn(sources.networkData, "failed to unmarshal network_data.json from secret: "))
    out["network_data"] = std::move(*network);
  if (!sources.userData.empty()) out["user_data"] = sources.userData.reveal();
  return out;
}

}  // namespace ingot::cloudinit
