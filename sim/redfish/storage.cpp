#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

constexpr std::string_view storagePath = "/redfish/v1/Systems/1/Storage/1";
constexpr std::string_view overwrite = "Overwrite";

// nullptr: there is no such drive.
Disk* diskOf(Call& call) {
  auto& disks = call.machine.disks;
  std::size_t index = disks.size();
  const auto id = call.ids.at(0);
  std::from_chars(id.data(), id.data() + id.size(), index);
  return index < disks.size() ? &disks[index] : nullptr;
}

json::Array sanitizationTypes(const DiskSpec& spec) {
  if (spec.rotational) return {overwrite};
  return {"CryptographicErase", "BlockErase", overwrite};
}

std::string taskNameFor(const DiskSpec& spec) { return "Secure Erase of " + spec.serial; }

// nullptr: it is not being erased.
const TaskRecord* erasureOf(const Call& call, const DiskSpec& spec) {
  const auto name = taskNameFor(spec);
  for (const auto& task : call.state.tasks.all())
    if (task.name == name && task.ends > call.runtime.clock.now()) return &task;
  return nullptr;
}

}  // namespace

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
  const auto* disk = diskOf(call);
  if (disk == nullptr) return notFound(call.path);
  const auto& spec = disk->spec();
  const auto id = call.ids.at(0);

  auto body = resource(call.path, "Drive.v1_17_0.Drive", id, spec.name);
  body["Model"] = spec.model;
  body["Manufacturer"] = "Ingot";
  body["SerialNumber"] = spec.serial;
  body["CapacityBytes"] = disk->size();
  body["BlockSizeBytes"] = 512;
  body["MediaType"] = spec.rotational ? "HDD" : "SSD";
  body["Protocol"] = spec.name.starts_with("/dev/nvme") ? "NVMe" : "SATA";
  body["FailurePredicted"] = false;
  body["Identifiers"] = json::Array{{{"DurableName", spec.wwn}, {"DurableNameFormat", "NAA"}}};
  body["Links"] = {{"Volumes", json::Array{}}};
  if (!call.traits.has(Habit::erasesNothing))
    body["Actions"] = {{"#Drive.SecureErase",
                        {{"target", fmt::format("{}/Actions/Drive.SecureErase", call.path)},
                         {"SanitizationType@Redfish.AllowableValues", sanitizationTypes(spec)}}}};
  body["Operations"] = json::Array{};
  if (const auto* task = erasureOf(call, spec)) {
    const auto done = call.runtime.clock.now() - task->started;
    body["Operations"] = json::Array{{{"OperationName", "Sanitize"},
                                      {"PercentageComplete", 100 * done / (task->ends - task->started)},
                                      {"AssociatedTask", link(taskPath(*task))}}};
  }
  body["Status"] = healthy();
  if (!call.machine.on()) body["Status"] = {{"State", "StandbyOffline"}, {"Health", nullptr}};
  return ok(std::move(body));
}

// A drive without power erases nothing.
Reply secureErase(Call& call) {
  call.action = "erase-drive";
  auto* disk = diskOf(call);
  if (disk == nullptr || call.traits.has(Habit::erasesNothing)) return notFound(call.path);
  const auto& spec = disk->spec();
  const auto type = json::textAt(call.body, {"SanitizationType"});
  call.detail = fmt::format("{} {}", spec.serial, type);
  const auto types = sanitizationTypes(spec);
  if (!type.empty() && std::ranges::find(types, json::Value(type)) == types.end())
    return valueNotInList("SanitizationType", type);
  if (!call.machine.on()) return error(503, "ResourceInStandby", "The drive has no power; switch the server on.");
  if (erasureOf(call, spec) != nullptr) return error(409, "ResourceInUse", "An operation on the drive is under way.");
  const auto now = call.runtime.clock.now();
  const std::chrono::milliseconds takes(std::max(1, call.machine.spec().timing.task));
  const auto& task = call.state.tasks.start(taskNameFor(spec), now, takes, [disk] { disk->eraseAll(); });
  return acceptedTask(task, now);
}

Reply volumes(Call& call) { return ok(collection(call.path, "Volume", "Volumes", {})); }

}  // namespace ingot::sim::redfish::resources
