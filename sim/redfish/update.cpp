#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

constexpr std::string_view tasksPath = "/redfish/v1/TaskService/Tasks";
constexpr std::string_view monitorsPath = "/redfish/v1/TaskService/TaskMonitors";
constexpr std::string_view inventoryPath = "/redfish/v1/UpdateService/FirmwareInventory";

json::Object taskBody(const TaskRecord& task, base::MonoTime now) {
  const bool ended = task.ends <= now;
  auto body = resource(taskPath(task), "Task.v1_7_1.Task", task.id, task.name);
  body["TaskState"] = ended ? "Completed" : "Running";
  body["TaskStatus"] = "OK";
  body["PercentComplete"] = ended ? 100 : static_cast<int>(100 * (now - task.started) / (task.ends - task.started));
  body["TaskMonitor"] = fmt::format("{}/{}", monitorsPath, task.id);
  body["Messages"] = json::Array{};
  return body;
}

// "…/bios-1.2.3.bin" → BIOS, 1.2.3. Images of simulated firmware say in their name what they are.
struct FirmwareImage {
  std::string component, version;
};

std::optional<FirmwareImage> readImageName(std::string_view url) {
  auto name = url.substr(url.rfind('/') + 1);
  if (const auto dot = name.rfind('.'); dot != name.npos) name = name.substr(0, dot);
  const auto dash = name.find('-');
  if (dash == name.npos || dash + 1 == name.size()) return std::nullopt;
  std::string component(name.substr(0, dash));
  for (char& c : component) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return FirmwareImage{std::move(component), std::string(name.substr(dash + 1))};
}

constexpr base::Duration unknownFor = std::chrono::seconds(4);

// nullptr: there is none, or none yet.
const TaskRecord* taskOf(const Call& call) {
  const auto* task = call.state.tasks.find(call.ids.at(0));
  const bool isNew = task != nullptr && call.runtime.clock.now() < task->started + unknownFor;
  return isNew && call.traits.has(Habit::newTasksAreNotFound) ? nullptr : task;
}

}  // namespace

std::string taskPath(const TaskRecord& task) { return fmt::format("{}/{}", tasksPath, task.id); }

Reply acceptedTask(const TaskRecord& task, base::MonoTime now) {
  return accepted(taskBody(task, now), fmt::format("{}/{}", monitorsPath, task.id));
}

namespace resources {

Reply taskService(Call& call) {
  auto body = resource(call.path, "TaskService.v1_2_1.TaskService", "TaskService", "Task Service");
  body["ServiceEnabled"] = true;
  body["Tasks"] = link(tasksPath);
  return ok(std::move(body));
}

Reply tasks(Call& call) {
  std::vector<std::string> members;
  members.reserve(call.state.tasks.all().size());
  for (const auto& task : call.state.tasks.all()) members.push_back(taskPath(task));
  return ok(collection(tasksPath, "Task", "Task Collection", members));
}

Reply task(Call& call) {
  const auto* task = taskOf(call);
  if (!task) return notFound(call.path);
  return ok(taskBody(*task, call.runtime.clock.now()));
}

// 202 while the task runs, then its end.
Reply taskMonitor(Call& call) {
  const auto* task = taskOf(call);
  if (!task) return notFound(call.path);
  const auto now = call.runtime.clock.now();
  if (task->ends <= now) return ok(taskBody(*task, now));
  return accepted(taskBody(*task, now), std::string(call.path));
}

Reply updateService(Call& call) {
  auto body = resource(call.path, "UpdateService.v1_14_0.UpdateService", "UpdateService", "Update Service");
  body["ServiceEnabled"] = true;
  body["FirmwareInventory"] = link(inventoryPath);
  body["Actions"] = {{"#UpdateService.SimpleUpdate",
                      {{"target", fmt::format("{}/Actions/UpdateService.SimpleUpdate", call.path)},
                       {"TransferProtocol@Redfish.AllowableValues", json::Array{"HTTP", "HTTPS"}}}}};
  return ok(std::move(body));
}

Reply simpleUpdate(Call& call) {
  const auto url = json::stringAt(call.body, {"ImageURI"});
  call.action = "firmware-update";
  if (!url) return missing("UpdateService.SimpleUpdate", "ImageURI");
  call.detail = std::string(*url);
  const auto image = readImageName(*url);
  if (!image || !call.machine.firmware.contains(image->component)) return valueNotInList("ImageURI", *url);

  const auto now = call.runtime.clock.now();
  const std::chrono::milliseconds takes(std::max(1, call.machine.spec().timing.task));
  const auto& task = call.state.tasks.start(
      "Update of " + image->component, now, takes,
      [&machine = call.machine, image = *image] { machine.firmware[image.component] = image.version; });
  return acceptedTask(task, now);
}

Reply firmwareInventory(Call& call) {
  std::vector<std::string> members;
  members.reserve(call.machine.firmware.size());
  for (const auto& [component, version] : call.machine.firmware)
    members.push_back(fmt::format("{}/{}", inventoryPath, component));
  return ok(collection(inventoryPath, "SoftwareInventory", "Firmware Inventory", members));
}

Reply firmware(Call& call) {
  const auto found = call.machine.firmware.find(std::string(call.ids.at(0)));
  if (found == call.machine.firmware.end()) return notFound(call.path);
  auto body = resource(call.path, "SoftwareInventory.v1_10_0.SoftwareInventory", found->first, found->first);
  body["Version"] = found->second;
  body["Updateable"] = true;
  body["ReleaseDate"] = "2026-01-01T00:00:00Z";
  if (found->first == "BIOS") body["RelatedItem"] = json::Array{link(fmt::format("{}/Bios", systemPath))};
  body["Status"] = healthy();
  return ok(std::move(body));
}

}  // namespace resources

}  // namespace ingot::sim::redfish
