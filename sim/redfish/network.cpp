// The network adapter of the chassis: a port and a function for each of the machine's network cards.
#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

constexpr std::string_view adapterPath = "/redfish/v1/Chassis/1/NetworkAdapters/NIC";
constexpr std::string_view switchMac = "02:00:00:00:00:01";  // of the one switch that all are plugged into

std::string functionPath(std::string_view nic) { return fmt::format("{}/NetworkDeviceFunctions/{}", adapterPath, nic); }
std::string portPath(std::string_view nic) { return fmt::format("{}/Ports/{}", adapterPath, nic); }

// nullptr: there is no such card.
const NicSpec* nicOf(const Call& call) {
  const auto& nics = call.machine.spec().nics;
  const auto nic = std::ranges::find(nics, call.ids.at(0), &NicSpec::name);
  return nic == nics.end() ? nullptr : &*nic;
}

std::vector<std::string> pathsOf(const Call& call, std::string (&pathOf)(std::string_view)) {
  std::vector<std::string> paths;
  for (const auto& nic : call.machine.spec().nics) paths.push_back(pathOf(nic.name));
  return paths;
}

}  // namespace

Reply networkAdapters(Call& call) {
  return ok(collection(call.path, "NetworkAdapter", "Network Adapters", {std::string(adapterPath)}));
}

Reply networkAdapter(Call& call) {
  auto body = resource(adapterPath, "NetworkAdapter.v1_9_0.NetworkAdapter", "NIC", "Network Adapter");
  body["Manufacturer"] = "Ingot";
  body["Model"] = "Simulated NIC";
  body["SerialNumber"] = call.machine.spec().serial + "N";
  body["NetworkDeviceFunctions"] = link(fmt::format("{}/NetworkDeviceFunctions", adapterPath));
  body["Ports"] = link(fmt::format("{}/Ports", adapterPath));
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply networkFunctions(Call& call) {
  return ok(collection(call.path, "NetworkDeviceFunction", "Network Device Functions", pathsOf(call, functionPath)));
}

Reply networkFunction(Call& call) {
  const auto* nic = nicOf(call);
  if (nic == nullptr) return notFound(call.path);
  auto body = resource(call.path, "NetworkDeviceFunction.v1_9_0.NetworkDeviceFunction", nic->name, nic->name);
  body["NetDevFuncType"] = "Ethernet";
  body["Ethernet"] = {{"MACAddress", nic->mac}, {"PermanentMACAddress", nic->mac}};
  body["Links"] = {{"PhysicalNetworkPortAssignment", link(portPath(nic->name))}};
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply networkPorts(Call& call) { return ok(collection(call.path, "Port", "Ports", pathsOf(call, portPath))); }

Reply networkPort(Call& call) {
  const auto* nic = nicOf(call);
  if (nic == nullptr) return notFound(call.path);
  constexpr double megabitsOfGigabit = 1000;
  auto body = resource(call.path, "Port.v1_9_0.Port", nic->name, nic->name);
  body["PortId"] = nic->name;
  body["LinkStatus"] = nic->cabled ? "LinkUp" : "LinkDown";
  body["CurrentSpeedGbps"] = nic->cabled ? nic->speedMbps / megabitsOfGigabit : 0;
  json::Object ethernet{{"AssociatedMACAddresses", json::Array{nic->mac}}};
  if (nic->cabled)
    ethernet["LLDPReceive"] = {{"ChassisId", switchMac},
                               {"ChassisIdSubtype", "MacAddr"},
                               {"PortId", nic->switchPort},
                               {"PortIdSubtype", "IfName"},
                               {"SystemName", nic->switchName}};
  body["Ethernet"] = std::move(ethernet);
  body["Status"] = healthy();
  return ok(std::move(body));
}

}  // namespace ingot::sim::redfish::resources
