#include "coordinator/webhooks/json_patch.hpp"

namespace ingot::coordinator::webhooks {
namespace {

// A member's name within a JSON pointer.
std::string pointerToken(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

void addOperation(json::Array& operations, std::string_view what, const std::string& path, const json::Value* value) {
  json::Object operation{{"op", what}, {"path", path}};
  if (value) operation["value"] = *value;
  operations.emplace_back(std::move(operation));
}

void compareInto(json::Array& operations, const std::string& path, const json::Value& from, const json::Value& to) {
  if (json::equal(from, to)) return;
  if (!from.is_object() || !to.is_object()) return addOperation(operations, "replace", path, &to);
  for (const auto& [name, value] : from.get_object())
    if (!to.get_object().contains(name)) addOperation(operations, "remove", path + "/" + pointerToken(name), nullptr);
  for (const auto& [name, value] : to.get_object()) {
    const std::string below = path + "/" + pointerToken(name);
    const json::Value* before = from.get_object().if_contains(name);
    if (before)
      compareInto(operations, below, *before, value);
    else
      addOperation(operations, "add", below, &value);
  }
}

}  // namespace

json::Array patchBetween(const json::Value& from, const json::Value& to) {
  json::Array operations;
  compareInto(operations, "", from, to);
  return operations;
}

}  // namespace ingot::coordinator::webhooks
