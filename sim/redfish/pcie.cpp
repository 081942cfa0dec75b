#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

// As QEMU's virtio devices have them.
struct Device {
  std::string_view id, name, slot, deviceClass, classCode, deviceId, subsystemId;
};
constexpr Device devices[] = {
    {"NIC", "Simulated NIC", "PCIe Slot 1", "NetworkController", "0x020000", "0x1041", "0x1100"},
    {"HBA", "Simulated HBA", "PCIe Slot 2", "MassStorageController", "0x010000", "0x1042", "0x1100"}};
constexpr std::string_view vendorId = "0x1AF4";

std::string devicePath(std::string_view id) { return fmt::format("{}/PCIeDevices/{}", chassisPath, id); }

// nullptr: there is no such device.
const Device* deviceOf(const Call& call) {
  const auto* device = std::ranges::find(devices, call.ids.at(0), &Device::id);
  return device == std::end(devices) ? nullptr : device;
}

}  // namespace

json::Array pcieDevices() {
  json::Array links;
  for (const auto& device : devices) links.push_back(link(devicePath(device.id)));
  return links;
}

namespace resources {

Reply pcieDevice(Call& call) {
  const auto* device = deviceOf(call);
  if (device == nullptr) return notFound(call.path);
  auto body = resource(call.path, "PCIeDevice.v1_11_0.PCIeDevice", device->id, device->name);
  body["Manufacturer"] = "Ingot";
  body["Model"] = device->name;
  body["DeviceType"] = "SingleFunction";
  body["Slot"] = {{"Location", {{"PartLocation", {{"ServiceLabel", device->slot}, {"LocationType", "Slot"}}}}}};
  body["PCIeFunctions"] = link(fmt::format("{}/PCIeFunctions", devicePath(device->id)));
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply pcieFunctions(Call& call) {
  const auto* device = deviceOf(call);
  if (device == nullptr) return notFound(call.path);
  return ok(collection(call.path, "PCIeFunction", "PCIe Functions", {fmt::format("{}/0", call.path)}));
}

Reply pcieFunction(Call& call) {
  const auto* device = deviceOf(call);
  if (device == nullptr) return notFound(call.path);
  auto body = resource(call.path, "PCIeFunction.v1_5_0.PCIeFunction", "0", device->name);
  body["FunctionId"] = 0;
  body["FunctionType"] = "Physical";
  body["DeviceClass"] = device->deviceClass;
  body["ClassCode"] = device->classCode;
  body["VendorId"] = vendorId;
  body["DeviceId"] = device->deviceId;
  body["SubsystemVendorId"] = vendorId;
  body["SubsystemId"] = device->subsystemId;
  body["RevisionId"] = "0x01";
  body["Status"] = healthy();
  return ok(std::move(body));
}

}  // namespace resources

}  // namespace ingot::sim::redfish
