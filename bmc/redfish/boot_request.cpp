#include "bmc/redfish/boot_request.hpp"

#include <algorithm>

namespace ingot::bmc::redfish {

namespace {

constexpr std::string_view targetKey = "BootSourceOverrideTarget", enabledKey = "BootSourceOverrideEnabled",
                           modeKey = "BootSourceOverrideMode", httpUriKey = "HttpBootUri";

std::string_view redfishName(BootDevice device) {
  switch (device) {
    case BootDevice::none: return "None";
    case BootDevice::disk: return "Hdd";
    case BootDevice::pxe: return "Pxe";
    case BootDevice::cdrom: return "Cd";
    case BootDevice::bios: return "BiosSetup";
    case BootDevice::uefiHttp: return "UefiHttp";
  }
  return "None";
}

std::string_view redfishName(BootMode mode) { return mode == BootMode::uefi ? "UEFI" : "Legacy"; }

std::string textOf(const json::Value& system, const json::Value& settings, std::string_view key) {
  const auto text = json::stringAt(system, {"Boot", key});
  return text ? std::string(*text) : json::textAt(settings, {"Boot", key});
}

std::vector<std::string> allowable(const json::Value& resource) {
  std::vector<std::string> values;
  const auto* list = json::arrayAt(resource, {"Boot", "BootSourceOverrideTarget@Redfish.AllowableValues"});
  if (list == nullptr) return values;
  for (const auto& value : *list)
    if (value.is_string()) values.emplace_back(value.get_string());
  return values;
}

bool offers(const BootState& now, std::string_view target) {
  return now.targets.empty() || std::ranges::find(now.targets, target) != now.targets.end();
}

}  // namespace

BootState bootStateIn(const json::Value& system, const json::Value& settings) {
  BootState state{.target = textOf(system, settings, targetKey),
                  .enabled = textOf(system, settings, enabledKey),
                  .mode = textOf(system, settings, modeKey),
                  .httpUri = textOf(system, settings, httpUriKey),
                  .pendingEnabled = json::textAt(settings, {"Boot", enabledKey}),
                  .targets = allowable(system)};
  if (state.targets.empty()) state.targets = allowable(settings);
  return state;
}

std::optional<std::string> bootTarget(BootDevice device, const BootState& now, const Quirks& quirks) {
  const bool usb = device == BootDevice::cdrom && quirks.has(Quirk::cdIsUsbCd);
  if (usb && std::ranges::find(now.targets, "UsbCd") != now.targets.end()) return "UsbCd";
  const auto name = redfishName(device);
  if (device != BootDevice::none && !offers(now, name)) return std::nullopt;
  return std::string(name);
}

json::Object bootChange(const BootState& now, const std::string& target, const std::string& enabled,
                        std::optional<BootMode> mode, const Quirks& quirks) {
  const bool full = quirks.has(Quirk::fullBootRequest);
  const bool hasOverride = !now.enabled.empty() || !now.target.empty() || !now.targets.empty();
  if (enabled == "Disabled" && !hasOverride && !full) return {};  // there is nothing to take back
  const bool isSet = now.enabled == enabled && (now.pendingEnabled.empty() || now.pendingEnabled == enabled);
  json::Object change;
  if (enabled != "Disabled" || full) change[targetKey] = target;
  if (!isSet || full || quirks.has(Quirk::repeatsBootDuration)) change[enabledKey] = enabled;
  // A mode that was asked for may be shown at the next boot only.
  const std::string wanted = mode ? std::string(redfishName(*mode)) : now.mode;
  if (full)
    change[modeKey] = wanted.empty() ? "UEFI" : wanted;
  else if (quirks.has(Quirk::namesBootMode) && !now.mode.empty())
    change[modeKey] = wanted;
  if (target == "UefiHttp" || !now.httpUri.empty()) change[httpUriKey] = nullptr;
  return change;
}

json::Object bootModeChange(const BootState& now, BootMode mode, const Quirks& quirks) {
  json::Object change{{modeKey, redfishName(mode)}};
  if (!quirks.has(Quirk::fullBootRequest)) return change;
  change[enabledKey] = now.enabled.empty() ? "Once" : now.enabled;
  change[targetKey] = now.target.empty() ? "Pxe" : now.target;
  return change;
}

bool isInMode(const BootState& now, BootMode mode) { return now.mode == redfishName(mode); }

BootWrites splitBoot(const json::Object& change, const json::Value& settings) {
  BootWrites writes;
  const auto* there = json::objectAt(settings, {"Boot"});
  for (const auto& [key, value] : change)
    (there != nullptr && there->contains(key) ? writes.settings : writes.system)[key] = value;
  return writes;
}

}  // namespace ingot::bmc::redfish
