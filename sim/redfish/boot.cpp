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

constexpr std::string_view optionsPath = "/redfish/v1/Systems/1/BootOptions";

json::Array orderOf(const Machine& machine) {
  json::Array order;
  for (const auto& entry : machine.bootEntries) order.emplace_back(entry.id);
  return order;
}

// nullopt: not all of them, each once.
std::optional<std::vector<std::string>> orderIn(const json::Value& wanted, const Machine& machine) {
  if (!wanted.is_array()) return std::nullopt;
  std::vector<std::string> ids;
  for (const auto& id : wanted.get_array()) ids.emplace_back(id.is_string() ? std::string(id.get_string()) : "");
  const auto isNamedOnce = [&](const BootEntry& entry) { return std::ranges::count(ids, entry.id) == 1; };
  const bool isWhole =
      ids.size() == machine.bootEntries.size() && std::ranges::all_of(machine.bootEntries, isNamedOnce);
  return isWhole ? std::optional(std::move(ids)) : std::nullopt;
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
  std::vector<std::string> order = {};  // none: as it is
};

BootChange readBootChange(BootOverride boot, const json::Object& wanted, const Machine& machine) {
  std::vector<std::string> order;
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
    } else if (name == "BootOrder") {
      auto ids = orderIn(value, machine);
      if (!ids) return {boot, valueNotInList(std::string_view(name), json::serialize(value))};
      order = std::move(*ids);
    } else {
      return {boot, aboutProperty("PropertyUnknown", std::string_view(name),
                                  fmt::format("The property {} is not known.", std::string_view(name)))};
    }
  }
  return {boot, std::nullopt, std::move(order)};
}

// Why this product does not take it; nullopt: it does.
std::optional<Reply> whyNotTaken(const Call& call, const json::Object& wanted) {
  if (call.traits.has(Habit::refusesBootInPost) && call.machine.isInPost())
    return error(400, "iLO.2.14.UnableToModifyDuringSystemPOST",
                 "The property cannot be modified while the system is in POST.");
  if (call.traits.has(Habit::wantsWholeBootChange))
    for (const auto key : {targetKey, durationKey, modeKey})
      if (!wanted.contains(key) && !wanted.contains("BootOrder"))
        return aboutProperty("PropertyMissing", key, fmt::format("The property {} is a required property.", key));
  return std::nullopt;
}

// `now`: what holds, or is to hold from the next boot on.
Reply changeBoot(Call& call, const BootOverride& now, std::function<void(BootChange)> take) {
  const auto* wanted = json::objectAt(call.body, {"Boot"});
  if (!wanted) return error(400, "PropertyUnknown", "Only Boot of this resource can be changed.");
  call.action = "boot-override";
  call.detail = json::serialize(*wanted);
  if (auto refusal = whyNotTaken(call, *wanted)) return std::move(*refusal);
  auto change = readBootChange(now, *wanted, call.machine);
  if (change.refusal) return std::move(*change.refusal);
  const bool namesTarget = wanted->contains(targetKey);
  if (call.traits.has(Habit::dropsBootWithoutDuration) && namesTarget && !wanted->contains(durationKey))
    change.boot.enabled = OverrideEnabled::disabled;
  if (call.traits.has(Habit::bootsLegacyUnlessToldUefi) && namesTarget && !wanted->contains(modeKey))
    change.boot.uefi = false;
  take(std::move(change));
  return noContent();
}

}  // namespace

json::Object bootOf(const Call& call) {
  auto body = shown(call.machine.boot);
  body["BootOrder"] = orderOf(call.machine);
  body["BootOptions"] = link(optionsPath);
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
  return changeBoot(call, call.machine.boot, [&](BootChange change) {
    call.machine.boot = std::move(change.boot);
    if (!change.order.empty()) orderBy(change.order, call.machine.bootEntries);
  });
}

Reply bootOptions(Call& call) {
  std::vector<std::string> members;
  members.reserve(call.machine.bootEntries.size());
  for (const auto& entry : call.machine.bootEntries) members.push_back(fmt::format("{}/{}", optionsPath, entry.id));
  return ok(collection(call.path, "BootOption", "Boot Option Collection", members));
}

Reply bootOption(Call& call) {
  const auto entry = std::ranges::find(call.machine.bootEntries, call.ids.at(0), &BootEntry::id);
  if (entry == call.machine.bootEntries.end()) return notFound(call.path);
  auto body = resource(call.path, "BootOption.v1_0_4.BootOption", entry->id, entry->name);
  body["BootOptionReference"] = entry->id;
  body["DisplayName"] = entry->name;
  body["UefiDevicePath"] = entry->devicePath;
  body["BootOptionEnabled"] = true;
  return ok(std::move(body));
}

Reply removeBootOption(Call& call) {
  call.action = "remove-boot-option";
  call.detail = call.ids.at(0);
  const auto gone =
      std::erase_if(call.machine.bootEntries, [&](const BootEntry& entry) { return entry.id == call.ids.at(0); });
  return gone == 0 ? notFound(call.path) : noContent();
}

Reply bootSettings(Call& call) {
  if (!call.traits.has(Habit::bootIsInSettings)) return notFound(call.path);
  auto body = resource(bootSettingsPath, "ComputerSystem.v1_20_0.ComputerSystem", "Settings", "Settings");
  auto boot = shown(call.machine.pendingBoot.value_or(call.machine.boot));
  listValues(call.traits, boot);
  const auto& pending = call.machine.pendingOrder;
  boot["BootOrder"] = pending.empty() ? orderOf(call.machine) : json::Array(pending.begin(), pending.end());
  body["Boot"] = std::move(boot);
  return ok(std::move(body));
}

Reply patchBootSettings(Call& call) {
  if (!call.traits.has(Habit::bootIsInSettings)) return notFound(call.path);
  return changeBoot(call, call.machine.pendingBoot.value_or(call.machine.boot), [&](BootChange change) {
    call.machine.pendingBoot = std::move(change.boot);
    if (!change.order.empty()) call.machine.pendingOrder = std::move(change.order);
  });
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
