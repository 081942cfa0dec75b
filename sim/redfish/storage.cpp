#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {
constexpr std::string_view storagePath = "/redfish/v1/Systems/1/Storage/1";
}

Reply storages(Call& call) { return ok(collection(call.path, "Storage", "Storage", {std::string(storagePath)})); }

Reply storage(Call& call) {
  auto body = resource(storagePath, "Storage.v1_15_0.Storage", "1", "Storage Controller");
  json::Array drives;
  for (std::size_t i = 0; i < call.machine.disks.size(); ++i)
    drives.push_back(link(fmt::format("{}/Drives/{}", storagePath, i)));
  body["Drives@odata.count"] = drives.size();
  body["Drives"] = std::move(drives);
  body["StorageControllers"] = json::Array{{{"MemberId", "0"},
                                            {"Name", "Simulated HBA"},
                                            {"SpeedGbps", 12},
                                            {"SupportedDeviceProtocols", json::Array{"SATA", "NVMe"}},
                                            {"Status", healthy()}}};
  body["Volumes"] = link(fmt::format("{}/Volumes", storagePath));
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply drive(Call& call) {
  const auto& disks = call.machine.disks;
  std::size_t index = disks.size();
  const auto id = call.ids.at(0);
  std::from_chars(id.data(), id.data() + id.size(), index);
  if (index >= disks.size()) return notFound(call.path);
  const auto& spec = disks[index].spec();

  auto body = resource(call.path, "Drive.v1_17_0.Drive", id, spec.name);
  body["Model"] = spec.model;
  body["Manufacturer"] = "Ingot";
  body["SerialNumber"] = spec.serial;
  body["CapacityBytes"] = disks[index].size();
  body["BlockSizeBytes"] = 512;
  body["MediaType"] = spec.rotational ? "HDD" : "SSD";
  body["Protocol"] = spec.name.starts_with("/dev/nvme") ? "NVMe" : "SATA";
  body["FailurePredicted"] = false;
  body["Identifiers"] = json::Array{{{"DurableName", spec.wwn}, {"DurableNameFormat", "NAA"}}};
  body["Links"] = {{"Volumes", json::Array{}}};
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply volumes(Call& call) { return ok(collection(call.path, "Volume", "Volumes", {})); }

}  // namespace ingot::sim::redfish::resources
