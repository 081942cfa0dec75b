#include "sim/ramdisk/command.hpp"

namespace ingot::sim::ramdisk {

namespace {

struct Step {
  std::string_view name;
  int priority;
  std::string_view interface;
};

json::Value steps(std::string_view key, std::initializer_list<Step> all) {
  json::Array list;
  for (const auto& step : all)
    list.push_back({{"step", step.name},
                    {"priority", step.priority},
                    {"interface", step.interface},
                    {"reboot_requested", false},
                    {"abortable", true}});
  return json::Object{{"hardware_manager_version", {{"generic_hardware_manager", "1.2"}}},
                      {key, {{"GenericHardwareManager", std::move(list)}}}};
}

}  // namespace

void Command::succeed(json::Value value) {
  status = "SUCCEEDED";
  result = std::move(value);
}

void Command::fail(std::string_view type, const std::string& details) {
  status = "FAILED";
  error = json::Object{{"type", type}, {"code", 500}, {"message", details}, {"details", details}};
}

json::Object Command::record() const {
  return {{"id", id},
          {"command_name", name},
          {"command_status", status},
          {"command_error", error},
          {"command_result", result}};
}

json::Value cleanSteps() {
  return steps("clean_steps", {{"erase_devices", 10, "deploy"},
                               {"erase_devices_metadata", 99, "deploy"},
                               {"delete_configuration", 0, "raid"},
                               {"create_configuration", 0, "raid"}});
}

json::Value deploySteps() {
  return steps("deploy_steps",
               {{"write_image", 0, "deploy"}, {"inject_files", 0, "deploy"}, {"apply_configuration", 0, "raid"}});
}

json::Value serviceSteps() { return steps("service_steps", {}); }

}  // namespace ingot::sim::ramdisk
