// What a system boots from (spec/bmc.md §7), as the products have it.
#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

constexpr std::string_view targetKey = "BootSourceOverrideTarget", durationKey = "BootSourceOverrideEnabled",
                           modeKey = "BootSourceOverrideMode";

template <class E>
json::Array allNames() {
  json::Array all;
  for (const auto& name : namesOf(E{})) all.emplace_back(name.name);
  return all;
}

json::Array bootTargets(const Traits& traits) {
  json::Array all;
  for (const auto& name : namesOf(BootDevice{}))
    if (name.value != BootDevice::usbCd || traits.has(Habit::cdIsUsbCd)) all.emplace_back(name.name);
  return all;
}

json::Object shown(const BootOverride& boot) {
  json::Object body{
      {durationKey, json::textOf(boot.enabled)},
      {targetKey, json::textOf(boot.enabled == OverrideEnabled::disabled ? BootDevice::none : boot.target)},
      {modeKey, boot.uefi ? "UEFI" : "Legacy"}};
  if (!boot.httpUri.empty()) body["HttpBootUri"] = boot.httpUri;
  return body;
}

void listValues(const Traits& traits, json::Object& boot) {
  boot[std::string(durationKey) + "@Redfish.AllowableValues"] = allNames<OverrideEnabled>();
  boot[std::string(targetKey) + "@Redfish.AllowableValues"] = bootTargets(traits);
  boot[std::string(modeKey) + "@Redfish.AllowableValues"] = json::Array{"UEFI", "Legacy"};
}

// What a PATCH of Boot wants, checked before anything is changed.
struct BootChange {
  BootOverride boot;
  std::optional<Reply> refusal;
};

BootChange readBootChange(BootOverride boot, const json::Object& wanted) {
  for (const auto& [name, value] : wanted) {
    const std::string text = value.is_string() ? std::string(value.get_string()) : std::string();
    if (name == targetKey) {
      const auto target = json::enumFromText<BootDevice>(text);
      if (!target) return {boot, valueNotInList(std::string_view(name), text)};
      boot.target = *target;
    } else if (name == durationKey) {
      const auto enabled = json::enumFromText<OverrideEnabled>(text);
      if (!enabled) return {boot, valueNotInList(std::string_view(name), text)};
      boot.enabled = *enabled;
    } else if (name == modeKey) {
      if (text != "UEFI" && text != "Legacy") return {boot, valueNotInList(std::string_view(name), text)};
      boot.uefi = text == "UEFI";
    } else if (name == "HttpBootUri") {
      boot.httpUri = text;
    } else {
      return {boot, aboutProperty("PropertyUnknown", std::string_view(name),
                                  fmt::format("The property {} is not known.", std::string_view(name)))};
    }
  }
  return {boot, std::nullopt};
}

// Why this product does not take it; nullopt: it does.
std::optional<Reply> whyNotTaken(const Call& call, const json::Object& wanted) {
  if (call.traits.has(Habit::refusesBootInPost) && call.machine.isInPost())
    return error(400, "iLO.2.14.UnableToModifyDuringSystemPOST",
                 "The property cannot be modified while the system is in POST.");
  if (call.traits.has(Habit::wantsWholeBootChange))
    for (const auto key : {targetKey, durationKey, modeKey})
      if (!wanted.contains(key))
        return aboutProperty("PropertyMissing", key, fmt::format("The property {} is a required property.", key));
  return std::nullopt;
}

// `now`: what holds, or is to hold from the next boot on.
Reply changeBoot(Call& call, const BootOverride& now, std::function<void(BootOverride)> take) {
  const auto* wanted = json::objectAt(call.body, {"Boot"});
  if (!wanted) return error(400, "PropertyUnknown", "Only Boot of this resource can be changed.");
  call.action = "boot-override";
  call.detail = json::serialize(*wanted);
  if (auto refusal = whyNotTaken(call, *wanted)) return std::move(*refusal);
  auto change = readBootChange(now, *wanted);
  if (change.refusal) return std::move(*change.refusal);
  const bool namesTarget = wanted->contains(targetKey);
  if (call.traits.has(Habit::dropsBootWithoutDuration) && namesTarget && !wanted->contains(durationKey))
    change.boot.enabled = OverrideEnabled::disabled;
  if (call.traits.has(Habit::bootsLegacyUnlessToldUefi) && namesTarget && !wanted->contains(modeKey))
    change.boot.uefi = false;
  take(std::move(change.boot));
  return noContent();
}

}  // namespace

json::Object bootOf(const Call& call) {
  auto body = shown(call.machine.boot);
  body["BootOrder"] = json::Array{"Hdd", "Pxe"};
  if (!call.traits.has(Habit::bootIsInSettings)) listValues(call.traits, body);
  return body;
}

namespace resources {

Reply patchSystem(Call& call) {
  if (call.traits.has(Habit::bootIsInSettings) && call.body.get_object().contains("Boot")) {
    call.action = "boot-override";
    return aboutProperty("PropertyNotWritable", "Boot",
                         "The property Boot is a read only property and cannot be assigned a value.");
  }
  return changeBoot(call, call.machine.boot, [&](BootOverride boot) { call.machine.boot = std::move(boot); });
}

Reply bootSettings(Call& call) {
  if (!call.traits.has(Habit::bootIsInSettings)) return notFound(call.path);
  auto body = resource(bootSettingsPath, "ComputerSystem.v1_20_0.ComputerSystem", "Settings", "Settings");
  auto boot = shown(call.machine.pendingBoot.value_or(call.machine.boot));
  listValues(call.traits, boot);
  body["Boot"] = std::move(boot);
  return ok(std::move(body));
}

Reply patchBootSettings(Call& call) {
  if (!call.traits.has(Habit::bootIsInSettings)) return notFound(call.path);
  return changeBoot(call, call.machine.pendingBoot.value_or(call.machine.boot),
                    [&](BootOverride boot) { call.machine.pendingBoot = std::move(boot); });
}

// Of Dell's server profiles, what makes a host boot its virtual CD once (spec/bmc.md §8.5).
Reply importProfile(Call& call) {
  if (!call.traits.has(Habit::importsProfiles)) return notFound(call.path);
  call.action = "import-profile";
  const auto profile = json::textAt(call.body, {"ImportBuffer"});
  call.detail = profile;
  const bool bootsCd = profile.contains(R"(Name="ServerBoot.1#BootOnce">Enabled<)") &&
                       profile.contains(R"(Name="ServerBoot.1#FirstBootDevice">VCD-DVD<)") &&
                       profile.contains(R"(Component FQDD="iDRAC.Embedded.1")");
  if (!bootsCd || json::textAt(call.body, {"ShareParameters", "Target"}) != "ALL")
    return error(400, "IDRAC.2.8.SYS405", "The import file is not a server configuration profile that is known here.");
  const auto now = call.runtime.clock.now();
  const std::chrono::milliseconds takes(std::max(1, call.machine.spec().timing.task));
  const auto& task = call.state.tasks.start("Import Configuration", now, takes, [&machine = call.machine] {
    auto& boot = machine.pendingBoot ? *machine.pendingBoot : machine.boot;
    boot.target = machine.virtualCd;
    boot.enabled = OverrideEnabled::once;
  });
  return acceptedTask(task, now);
}

}  // namespace resources

}  // namespace ingot::sim::redfish
