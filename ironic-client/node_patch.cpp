#include "ironic-client/node_patch.hpp"

#include <fmt/format.h>

namespace ingot::ironic {

namespace {

// Deep and type-strict, as Ironic's own idea of a change: "42" is not 42; but how a number is stored does not matter.
bool sameValue(const json::Value& a, const json::Value& b) { return json::equal(a, b); }

std::string pointerPart(std::string_view name) {
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

bool holdsSecret(std::string_view name) {
  return name.find("password") != std::string_view::npos || name.find("secret") != std::string_view::npos;
}

json::Value masked(const json::Value& value) {
  if (!value.is_object()) return value;
  json::Object out;
  for (const auto& [key, inner] : value.get_object())
    out.emplace(key, holdsSecret(key) ? json::Value("<redacted>") : masked(inner));
  return out;
}

}  // namespace

NodePatch::NodePatch(const Node& now) : now_(json::encode(now)) {}

NodePatch& NodePatch::set(std::string_view section, std::string_view key, json::Value wanted) {
  const bool record = section.empty();
  const json::Value* now = record ? json::find(now_, {key}) : json::find(now_, {section, key});
  const std::string path = record ? "/" + pointerPart(key) : "/" + pointerPart(section) + "/" + pointerPart(key);
  if (wanted.is_null()) {
    if (now || record) operations_.push_back(json::Object{{"op", "remove"}, {"path", path}});
  } else if (!now || !sameValue(*now, wanted)) {
    operations_.push_back(json::Object{{"op", "add"}, {"path", path}, {"value", std::move(wanted)}});
  }
  return *this;
}

std::string NodePatch::describeForLog() const {
  json::Array shown;
  for (const json::Value& operation : operations_) {
    json::Object copy = operation.get_object();
    if (json::Value* value = copy.if_contains("value"))
      *value = holdsSecret(copy.at("path").get_string()) ? json::Value("<redacted>") : masked(*value);
    shown.push_back(std::move(copy));
  }
  return json::serialize(shown);
}

}  // namespace ingot::ironic
