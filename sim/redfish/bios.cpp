#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

constexpr std::string_view biosPath = "/redfish/v1/Systems/1/Bios";
constexpr std::string_view settingsPath = "/redfish/v1/Systems/1/Bios/Settings";

json::Object attributes(const std::map<std::string, std::string>& values) {
  json::Object out;
  for (const auto& [name, value] : values) out[name] = value;
  return out;
}

}  // namespace

Reply bios(Call& call) {
  auto body = resource(biosPath, "Bios.v1_2_0.Bios", "Bios", "BIOS Configuration");
  body["Attributes"] = attributes(call.machine.bios);
  body["@Redfish.Settings"] = {{"@odata.type", "#Settings.v1_3_0.Settings"},
                               {"SettingsObject", link(settingsPath)},
                               {"SupportedApplyTimes", json::Array{"OnReset"}}};
  body["Actions"] = {{"#Bios.ResetBios", {{"target", fmt::format("{}/Actions/Bios.ResetBios", biosPath)}}}};
  return ok(std::move(body));
}

Reply biosSettings(Call& call) {
  auto body = resource(settingsPath, "Bios.v1_2_0.Bios", "Settings", "BIOS Pending Settings");
  body["Attributes"] = attributes(call.machine.pendingBios);
  return ok(std::move(body));
}

// In force after the next power-on.
Reply patchBiosSettings(Call& call) {
  const auto* wanted = json::objectAt(call.body, {"Attributes"});
  call.action = "bios-settings";
  call.detail = json::serialize(call.body);
  if (!wanted) return aboutProperty("PropertyMissing", "Attributes", "The property Attributes is required.");
  for (const auto& [name, value] : *wanted) {
    if (!call.machine.bios.contains(std::string(name)))
      return aboutProperty("PropertyUnknown", std::string_view(name),
                           fmt::format("The BIOS has no attribute {}.", std::string_view(name)));
    if (!value.is_string()) return valueNotInList(std::string_view(name), json::serialize(value));
  }
  for (const auto& [name, value] : *wanted)
    call.machine.pendingBios[std::string(name)] = std::string(value.get_string());
  return noContent();
}

Reply resetBios(Call& call) {
  call.action = "bios-reset";
  for (const auto& [name, value] : call.machine.factoryBios()) call.machine.pendingBios[name] = value;
  return noContent();
}

}  // namespace ingot::sim::redfish::resources
