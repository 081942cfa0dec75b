// Ironic → ramdisk (spec/ramdisk.md §6).
#include "net/url.hpp"
#include "sim/ramdisk/agent.hpp"
#include "sim/ramdisk/image_writer.hpp"

namespace ingot::sim::ramdisk {

namespace {

constexpr base::Duration shortWork = std::chrono::milliseconds(300);

net::HttpResponse jsonResponse(int status, const json::Value& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

net::HttpResponse fault(int status, const std::string& text) {
  return jsonResponse(status, json::Object{{"faultcode", status < 500 ? "Client" : "Server"}, {"faultstring", text}});
}

std::string queryValue(std::string_view query, std::string_view name) {
  for (const auto& [key, value] : net::parseQuery(query))
    if (key == name) return value;
  return {};
}

}  // namespace

net::HttpResponse Agent::handle(const net::ServerRequest& request, std::string_view path) {
  if (queryValue(request.query(), "agent_token") != token_) return fault(401, "Token invalid.");
  if (!path.starts_with("commands")) return fault(404, "Not found");
  path.remove_prefix(std::string_view("commands").size());
  while (path.starts_with('/')) path.remove_prefix(1);

  if (request.method == "POST") return accept(request.body);
  if (!path.empty()) {
    const auto* command = find(path);
    return command ? jsonResponse(200, command->record()) : fault(404, "Command not found");
  }
  json::Array all;
  for (const auto& command : commands_) all.push_back(command.record());
  return jsonResponse(200, json::Object{{"commands", std::move(all)}});
}

net::HttpResponse Agent::accept(std::string_view body) {
  json::Value request;
  try {
    request = json::parse(body);
  } catch (const json::ParseError& error) {
    return fault(400, error.what());
  }
  const auto full = json::textAt(request, {"name"});
  const auto dot = full.find('.');
  if (dot == full.npos) return fault(400, "Invalid command: " + full);
  if (busy()) return fault(409, "Agent is busy: a command is still running.");

  const auto* params = json::find(request, {"params"});
  commands_.push_back({.id = context_.runtime.random.uuid(), .name = full.substr(dot + 1)});
  auto& command = commands_.back();
  note("command", full);
  start(command, full.substr(0, dot), params ? *params : json::Value(json::Object{}));
  if (command.status.empty()) {
    commands_.pop_back();
    return fault(400, "Unknown command: " + full);
  }
  return jsonResponse(200, command.record());
}

void Agent::start(Command& command, const std::string& extension, json::Value params) {
  const auto full = extension + "." + command.name;
  if (full == "clean.get_clean_steps") return command.succeed(cleanSteps());
  if (full == "deploy.get_deploy_steps") return command.succeed(deploySteps());
  if (full == "service.get_service_steps") return command.succeed(serviceSteps());
  if (full == "clean.execute_clean_step") return startStep(command, "clean_step", std::move(params));
  if (full == "deploy.execute_deploy_step") return startStep(command, "deploy_step", std::move(params));
  if (full == "service.execute_service_step") return startStep(command, "service_step", std::move(params));
  if (full == "standby.get_partition_uuids") return command.succeed({{"root uuid", "0x12345678"}});
  if (full == "image.install_bootloader") return command.succeed({{"result", "install_bootloader: done"}});
  if (full == "standby.sync") return command.succeed(nullptr);
  if (full == "log.collect_system_logs") return command.succeed({{"system_logs", ""}});
  if (full == "standby.power_off") {
    (void)machine_.reset(Reset::forceOff);
    return command.succeed(nullptr);
  }
  if (full == "standby.run_image") {
    (void)machine_.reset(Reset::forceRestart);
    return command.succeed(nullptr);
  }
  command.status.clear();
}

void Agent::startStep(Command& command, const char* stepKey, json::Value params) {
  context_.tasks.spawn("ramdisk command of " + machine_.name(),
                       work_.run(work(command.id, stepKey, std::move(params))));
}

base::Task<void> Agent::work(std::string id, const char* stepKey, json::Value params) {
  const auto self = shared_from_this();
  const auto* step = json::find(params, {"step"});
  const auto name = step ? json::textAt(*step, {"step"}) : std::string();
  std::string problem;
  try {
    co_await runStep(name, params);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    problem = error.what();
  }
  auto* command = find(id);  // gone when the command list was cleared meanwhile
  if (!command) co_return;
  if (!problem.empty()) {
    command->fail("ImageWriteError", problem);
    note("step failed", name + ": " + problem);
  } else {
    // Echoed unchanged: Ironic ignores the result of a step that differs from the one it sent.
    const std::string result = std::string(stepKey).replace(std::string_view(stepKey).find("step"), 4, "result");
    command->succeed(json::Object{{result, nullptr}, {stepKey, step ? *step : json::Value()}});
    note("step done", name);
  }
  commandEnded_.notifyAll();
}

base::Task<void> Agent::runStep(std::string name, json::Value params) {
  if (name == "write_image") {
    const auto* args = json::find(params, {"step", "args"});
    const auto* node = json::find(params, {"node"});
    auto image = readImageRequest(args ? *args : json::Value(), node ? *node : json::Value());
    const auto bytes = co_await writeImage(context_.runtime, context_.clients, machine_, std::move(image));
    co_return note("image written", fmt::format("{} bytes", bytes));
  }
  for (auto& disk : machine_.disks) {
    if (name == "erase_devices") disk.eraseAll();
    if (name == "erase_devices_metadata") disk.eraseTables();
  }
  co_await context_.runtime.clock.sleepFor(shortWork);
}

Command* Agent::find(std::string_view id) {
  const auto found = std::ranges::find(commands_, id, &Command::id);
  return found == commands_.end() ? nullptr : &*found;
}

bool Agent::busy() const {
  return std::ranges::any_of(commands_, [](const Command& command) { return command.status == "RUNNING"; });
}

}  // namespace ingot::sim::ramdisk
