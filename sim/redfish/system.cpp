#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

template <class E>
json::Array allNames() {
  json::Array all;
  for (const auto& name : namesOf(E{})) all.emplace_back(name.name);
  return all;
}

json::Object bootOf(const Machine& machine) {
  const auto& boot = machine.boot;
  json::Object body{{"BootSourceOverrideEnabled", json::textOf(boot.enabled)},
                    {"BootSourceOverrideEnabled@Redfish.AllowableValues", allNames<OverrideEnabled>()},
                    {"BootSourceOverrideTarget",
                     json::textOf(boot.enabled == OverrideEnabled::disabled ? BootDevice::none : boot.target)},
                    {"BootSourceOverrideTarget@Redfish.AllowableValues", allNames<BootDevice>()},
                    {"BootSourceOverrideMode", boot.uefi ? "UEFI" : "Legacy"},
                    {"BootSourceOverrideMode@Redfish.AllowableValues", json::Array{"UEFI", "Legacy"}},
                    {"BootOrder", json::Array{"Hdd", "Pxe"}}};
  if (!boot.httpUri.empty()) body["HttpBootUri"] = boot.httpUri;
  return body;
}

json::Object statusOf(const Machine& machine) {
  if (machine.hasInputPower()) return healthy(machine.on());
  return {{"State", "UnavailableOffline"}, {"Health", "Critical"}, {"HealthRollup", "Critical"}};
}

// What a PATCH of Boot wants, checked before anything is changed.
struct BootChange {
  BootOverride boot;
  std::optional<Reply> refusal;
};

BootChange readBootChange(BootOverride boot, const json::Object& wanted) {
  for (const auto& [name, value] : wanted) {
    const std::string text = value.is_string() ? std::string(value.get_string()) : std::string();
    if (name == "BootSourceOverrideTarget") {
      const auto target = json::enumFromText<BootDevice>(text);
      if (!target) return {boot, valueNotInList(std::string_view(name), text)};
      boot.target = *target;
    } else if (name == "BootSourceOverrideEnabled") {
      const auto enabled = json::enumFromText<OverrideEnabled>(text);
      if (!enabled) return {boot, valueNotInList(std::string_view(name), text)};
      boot.enabled = *enabled;
    } else if (name == "BootSourceOverrideMode") {
      if (text != "UEFI" && text != "Legacy") return {boot, valueNotInList(std::string_view(name), text)};
      boot.uefi = text == "UEFI";
    } else if (name == "HttpBootUri") {
      boot.httpUri = text;
    } else {
      return {boot,
              error(400, "PropertyUnknown", fmt::format("The property {} is not known.", std::string_view(name)))};
    }
  }
  return {boot, std::nullopt};
}

}  // namespace

Reply systems(Call& call) {
  return ok(collection(call.path, "ComputerSystem", "Computer System Collection", {std::string(systemPath)}));
}

Reply system(Call& call) {
  const auto& machine = call.machine;
  const auto& spec = machine.spec();
  auto body = resource(systemPath, "ComputerSystem.v1_20_0.ComputerSystem", "1", spec.name);
  body["SystemType"] = "Physical";
  body["UUID"] = spec.uuid;
  body["Manufacturer"] = spec.manufacturer;
  body["Model"] = spec.model;
  body["SerialNumber"] = spec.serial;
  body["SKU"] = "SIM";
  body["HostName"] = machine.bootedFrom() == BootDevice::hdd ? spec.name : "";
  body["BiosVersion"] = machine.firmware.at("BIOS");
  body["PowerState"] = machine.reportedOn() ? "On" : "Off";
  body["IndicatorLED"] = "Off";
  body["Status"] = statusOf(machine);
  body["MemorySummary"] = {{"TotalSystemMemoryGiB", spec.memoryMiB / 1024.0}, {"Status", healthy()}};
  body["ProcessorSummary"] = {{"Count", 1},
                              {"CoreCount", spec.cpus},
                              {"LogicalProcessorCount", spec.cpus},
                              {"Model", "Simulated CPU"},
                              {"Status", healthy()}};
  body["Boot"] = bootOf(machine);
  body["BootProgress"] = {{"LastState", machine.on() ? "OSRunning" : "None"}};
  for (const auto* name : {"Processors", "Memory", "EthernetInterfaces", "Bios", "Storage", "LogServices"})
    body[name] = link(fmt::format("{}/{}", systemPath, name));
  body["Links"] = {{"ManagedBy", json::Array{link(managerPath)}}, {"Chassis", json::Array{link(chassisPath)}}};
  body["Actions"] = {{"#ComputerSystem.Reset",
                      {{"target", fmt::format("{}/Actions/ComputerSystem.Reset", systemPath)},
                       {"ResetType@Redfish.AllowableValues", allNames<Reset>()}}}};
  return ok(std::move(body));
}

Reply patchSystem(Call& call) {
  const auto* wanted = json::objectAt(call.body, {"Boot"});
  if (!wanted) return error(400, "PropertyUnknown", "Only Boot of this resource can be changed.");
  auto change = readBootChange(call.machine.boot, *wanted);
  call.action = "boot-override";
  call.detail = json::serialize(*wanted);
  if (change.refusal) return std::move(*change.refusal);
  call.machine.boot = std::move(change.boot);
  return noContent();
}

Reply resetSystem(Call& call) {
  const auto type = json::stringAt(call.body, {"ResetType"});
  call.action = "reset";
  if (!type) return missing("ComputerSystem.Reset", "ResetType");
  call.detail = std::string(*type);
  const auto reset = json::enumFromText<Reset>(*type);
  if (!reset)
    return error(400, "ActionParameterNotSupported",
                 fmt::format("The value {} of the parameter ResetType is not supported.", *type));
  if (call.machine.reset(*reset) == ResetAnswer::noInputPower)
    return error(409, "OperationFailed",
                 "The server has no input power: all power supplies report that AC is lost. Check the power cord.");
  return noContent();
}

Reply processors(Call& call) {
  return ok(collection(call.path, "Processor", "Processors", {fmt::format("{}/CPU0", call.path)}));
}

Reply processor(Call& call) {
  const auto& spec = call.machine.spec();
  if (call.ids.at(0) != "CPU0") return notFound(call.path);
  auto body = resource(call.path, "Processor.v1_18_0.Processor", "CPU0", "Processor");
  body["ProcessorType"] = "CPU";
  body["ProcessorArchitecture"] = spec.arch == "aarch64" ? "ARM" : "x86";
  body["InstructionSet"] = spec.arch == "aarch64" ? "ARM-A64" : "x86-64";
  body["Manufacturer"] = "Ingot";
  body["Model"] = "Simulated CPU";
  body["MaxSpeedMHz"] = 2100;
  body["TotalCores"] = spec.cpus;
  body["TotalThreads"] = spec.cpus;
  body["Socket"] = "CPU0";
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply memories(Call& call) {
  return ok(collection(call.path, "Memory", "Memory", {fmt::format("{}/DIMM0", call.path)}));
}

Reply memory(Call& call) {
  if (call.ids.at(0) != "DIMM0") return notFound(call.path);
  auto body = resource(call.path, "Memory.v1_17_0.Memory", "DIMM0", "DIMM0");
  body["CapacityMiB"] = call.machine.spec().memoryMiB;
  body["MemoryDeviceType"] = "DDR5";
  body["OperatingSpeedMhz"] = 4800;
  body["DeviceLocator"] = "DIMM0";
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply ethernetInterfaces(Call& call) {
  std::vector<std::string> members;
  for (const auto& nic : call.machine.spec().nics) members.push_back(fmt::format("{}/{}", call.path, nic.name));
  return ok(collection(call.path, "EthernetInterface", "Ethernet Interfaces", members));
}

Reply ethernetInterface(Call& call) {
  const auto& nics = call.machine.spec().nics;
  const auto nic = std::ranges::find(nics, call.ids.at(0), &NicSpec::name);
  if (nic == nics.end()) return notFound(call.path);
  auto body = resource(call.path, "EthernetInterface.v1_9_0.EthernetInterface", nic->name, nic->name);
  body["MACAddress"] = nic->mac;
  body["PermanentMACAddress"] = nic->mac;
  body["SpeedMbps"] = nic->speedMbps;
  body["LinkStatus"] = "LinkUp";
  body["InterfaceEnabled"] = true;
  body["Status"] = healthy();
  return ok(std::move(body));
}

}  // namespace ingot::sim::redfish::resources
