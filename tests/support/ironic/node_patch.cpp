// What a PATCH of a node of the double may change, and when (spec/ironic.md §3.5).
#include "json/patch.hpp"
#include "tests/support/ironic/node.hpp"

#include <fmt/format.h>

namespace ingot::tests::fake {

namespace {

bool acceptsUpdates(State state) {
  switch (state) {
    case State::deployFailed:
    case State::inspectFailed:
    case State::inspectWait:
    case State::cleanFailed:
    case State::error:
    case State::verifying:
    case State::adoptFailed:
    case State::rescueFailed:
    case State::unrescueFailed:
    case State::serviceHold:
    case State::serviceFailed: return true;
    default: return false;
  }
}

bool acceptsInterfaces(State state) {
  switch (state) {
    case State::enroll:
    case State::inspecting:
    case State::inspectWait:
    case State::manageable:
    case State::available: return true;
    default: return false;
  }
}

std::string pathOf(const json::Value& operation) { return json::textAt(operation, {"path"}); }
bool removes(const json::Value& operation) { return json::textAt(operation, {"op"}) == "remove"; }

// True when the record has the operation's value already.
bool changesNothing(const json::Object& record, const json::Value& operation) {
  const json::Value* now = record.if_contains(pathOf(operation).substr(1));
  const json::Value* value = json::find(operation, {"value"});
  return !removes(operation) && now != nullptr && value != nullptr && json::equal(*now, *value);
}

// Sets every interface back to the driver's default.
void resetAll(json::Object& record) {
  for (const auto& [interface, standard] :
       {std::pair{"boot_interface", "ipxe"}, {"deploy_interface", "direct"}, {"inspect_interface", "agent"}})
    record[interface] = standard;
}

// A removed field of the record falls back to its default; only members of objects really go.
json::Value normalised(const json::Value& operation) {
  const std::string path = pathOf(operation);
  if (!removes(operation) || path.find('/', 1) != std::string::npos) return operation;
  return json::Object{{"op", "add"}, {"path", path}, {"value", nullptr}};
}

}  // namespace

std::optional<Refusal> Node::patch(const json::Value& operations, bool resetInterfaces) {
  if (!operations.is_array()) return Refusal{400, "Invalid patch"};
  if (locked()) return lockedRefusal();
  const bool moving = !text("target_provision_state").empty() && !acceptsUpdates(state());
  if (moving || state() == State::inspecting)
    return Refusal{409,
                   fmt::format("Node {} can not be updated while a state transition is in progress.", text("uuid"))};

  json::Array normal;
  for (const json::Value& operation : operations.get_array()) {
    const std::string path = pathOf(operation);
    if (changesNothing(record, operation)) continue;
    if (path.ends_with("_interface") && !acceptsInterfaces(state()) && !maintenance())
      return Refusal{409, fmt::format("Node {} can not have {} updated unless it is in one of allowed states",
                                      text("uuid"), path)};
    if (path == "/instance_uuid" && !removes(operation) && !text("instance_uuid").empty())
      return Refusal{409, fmt::format("Instance is already associated with node {}", text("uuid"))};
    normal.push_back(normalised(operation));
  }
  json::Value copy = record;
  if (resetInterfaces) resetAll(copy.get_object());
  try {
    json::applyJsonPatch(copy, normal);
  } catch (const json::PatchError& error) {
    return Refusal{400, error.what()};
  }
  record = std::move(copy.get_object());
  for (const char* interface : {"deploy_interface"})
    if (json::textAt(record, {interface}).empty()) record[interface] = "direct";
  return std::nullopt;
}

std::optional<Refusal> Node::mayBeDeleted() const {
  if (locked()) return lockedRefusal();
  if (maintenance()) return std::nullopt;
  if (!text("instance_uuid").empty())
    return Refusal{409, fmt::format("Node {} is associated with instance {}.", text("uuid"), text("instance_uuid"))};
  switch (state()) {
    case State::enroll:
    case State::manageable:
    case State::available:
    case State::adoptFailed: return std::nullopt;
    default:
      return Refusal{409, fmt::format("Can not delete node \"{}\" while it is in provision state \"{}\".", text("uuid"),
                                      text("provision_state"))};
  }
}

}  // namespace ingot::tests::fake
