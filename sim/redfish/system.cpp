#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

json::Object statusOf(const Machine& machine) {
  if (machine.hasInputPower()) return healthy(machine.on());
  return {{"State", "UnavailableOffline"}, {"Health", "Critical"}, {"HealthRollup", "Critical"}};
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
  const bool dellsWay = call.traits.has(Habit::skuIsSerial);
  body["SerialNumber"] = dellsWay ? "CN0BOARD" + spec.serial : spec.serial;
  body["SKU"] = dellsWay ? spec.serial : "SIM";
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
  body["Boot"] = bootOf(call);
  if (call.traits.has(Habit::bootIsInSettings))
    body["@Redfish.Settings"] = {{"@odata.type", "#Settings.v1_3_5.Settings"},
                                 {"SettingsObject", link(bootSettingsPath)}};
  body["BootProgress"] = {{"LastState", machine.on() ? "OSRunning" : "None"}};
  for (const auto* name : {"Processors", "Memory", "EthernetInterfaces", "Bios", "Storage"})
    body[name] = link(fmt::format("{}/{}", systemPath, name));
  body["PCIeDevices"] = pcieDevices();
  if (!call.traits.has(Habit::logsAreOfManager)) body["LogServices"] = link(logServicesPath);
  if (call.traits.has(Habit::mediaAreOfSystem)) body["VirtualMedia"] = link(virtualMediaPath);
  body["Links"] = {{"ManagedBy", json::Array{link(managerPath)}}, {"Chassis", json::Array{link(chassisPath)}}};
  body["Actions"] = resetActions(call.traits);
  return ok(std::move(body));
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
  body["LinkStatus"] = nic->cabled ? "LinkUp" : "LinkDown";
  if (nic->vlanId != 0) body["VLAN"] = {{"VLANEnable", true}, {"VLANId", nic->vlanId}};
  body["InterfaceEnabled"] = true;
  body["Status"] = healthy();
  return ok(std::move(body));
}

}  // namespace ingot::sim::redfish::resources
