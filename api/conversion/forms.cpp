#include "api/conversion/move.hpp"

#include "api/conversion/error.hpp"
#include "api/conversion/go_duration.hpp"

namespace ingot::api::conversion {

namespace {

std::vector<std::pair<std::string, json::Value>> sortedMembers(const json::Value& map) {
  std::vector<std::pair<std::string, json::Value>> out;
  if (map.is_object())
    for (const auto& [key, value] : map.get_object()) out.emplace_back(key, value);
  std::ranges::sort(out, {}, [](const auto& member) -> const std::string& { return member.first; });
  return out;
}

// A map as the list of its members; nullopt for an empty one.
template <class Item>
std::optional<json::Value> listOf(const json::Value& map, Item item) {
  json::Array out;
  for (auto& [name, value] : sortedMembers(map)) out.push_back(item(name, std::move(value)));
  if (out.empty()) return std::nullopt;
  return out;
}

// The way back: of items with the same name the last one stays.
template <class Member>
std::optional<json::Value> mapOf(const json::Value& list, Member member) {
  json::Object out;
  if (list.is_array())
    for (const auto& item : list.get_array()) out[json::textAt(item, {"name"})] = member(item);
  if (out.empty()) return std::nullopt;
  return out;
}

json::Value namedObject(const std::string& name, json::Value value) {
  json::Object out = value.is_object() ? std::move(value.get_object()) : json::Object();
  out["name"] = name;
  return out;
}

json::Value withoutName(const json::Value& item) {
  json::Object out = item.get_object();
  out.erase("name");
  return out;
}

std::optional<json::Value> indexList(const json::Value& map) {
  std::vector<std::pair<std::int64_t, std::string>> all;
  for (const auto& [name, index] : sortedMembers(map)) all.emplace_back(index.to_number<std::int64_t>(), name);
  if (all.empty()) return std::nullopt;
  std::ranges::sort(all);
  json::Array out;
  for (const auto& [index, name] : all) out.push_back(json::Object{{"name", name}, {"index", index}});
  return out;
}

json::Value indexOf(const json::Value& item) {
  if (const auto index = json::intAt(item, {"index"})) return *index;
  throw ConversionError("status.indexes: the entry of \"" + json::textAt(item, {"name"}) + "\" has no index");
}

json::Value valueOf(const json::Value& item) {
  const json::Value* value = json::find(item, {"value"});
  return value ? *value : json::Value();
}

// Those of the members that are there and not empty; nullopt when none is.
std::optional<json::Value> onlyMembers(const json::Value& reference, std::initializer_list<std::string_view> names) {
  json::Object out;
  for (const std::string_view key : names)
    if (const auto text = json::textAt(reference, {key}); !text.empty()) out[key] = text;
  if (out.empty()) return std::nullopt;
  return out;
}

// "group/version"; a version alone is one of the core group, whose name is empty.
std::optional<json::Value> withGroup(const std::string& field, const json::Value& reference) {
  auto out = onlyMembers(reference, {"kind", "name"});
  const std::string apiVersion = json::textAt(reference, {"apiVersion"});
  const auto slash = apiVersion.find('/');
  if (slash == std::string::npos) return out;
  if (slash != apiVersion.rfind('/'))
    throw ConversionError(field + ".apiVersion: \"" + apiVersion + "\" is not GROUP/VERSION");
  if (!out) out.emplace(json::Object());
  out->get_object()["apiGroup"] = apiVersion.substr(0, slash);
  return out;
}

// A reference names no version. The providers' kinds of the contract v1beta2 are served in a version of that name.
std::optional<json::Value> withVersion(const json::Value& reference) {
  auto out = onlyMembers(reference, {"kind", "name"});
  const std::string group = json::textAt(reference, {"apiGroup"});
  if (group.empty()) return out;
  if (group.contains('/')) throw ConversionError("apiGroup: \"" + group + "\" is not a group");
  if (!out) out.emplace(json::Object());
  out->get_object()["apiVersion"] = group + "/v1beta2";
  return out;
}

json::Value nodeObject(json::Value reference) {
  json::Object& out = reference.get_object();
  out["apiVersion"] = "v1";
  out["kind"] = "Node";
  return reference;
}

std::optional<json::Value> secondsOf(const std::string& field, const json::Value& text) {
  if (!text.is_string()) return std::nullopt;
  const auto duration = parseGoDuration(text.get_string());
  if (!duration) throw ConversionError(field + ": \"" + std::string(text.get_string()) + "\" is not a duration");
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*duration).count();
  return std::clamp<std::int64_t>(seconds, std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int32_t>::max());
}

std::string fieldOf(const Move& move, std::string_view root) {
  std::string out(root);
  for (const std::string_view step : {move.scope, move.v1beta1})
    if (!step.empty()) out.append(out.empty() ? "" : ".").append(step);
  return out;
}

}  // namespace

std::optional<json::Value> formUp(const Move& move, std::string_view root, json::Value value) {
  switch (move.form) {
    case Form::same:
    case Form::machinePhase: return value;
    case Form::opposite: return std::nullopt;
    case Form::onlyTrue: return value == json::Value(true) ? std::optional(value) : std::nullopt;
    case Form::absentWhenEmpty:
      if (value.is_object() && value.get_object().empty()) return std::nullopt;
      return value;
    case Form::nameAndNamespace: return onlyMembers(value, {"name", "namespace"});
    case Form::contractReference: return withGroup(fieldOf(move, root), value);
    case Form::templateReference: return onlyMembers(value, {"apiVersion", "kind", "name"});
    case Form::nodeReference: return onlyMembers(value, {"name"});
    case Form::namedObjects: return listOf(value, namedObject);
    case Form::namedValues:
      return listOf(value, [](const std::string& name, json::Value any) {
        return json::Object{{"name", name}, {"value", std::move(any)}};
      });
    case Form::namedIndexes: return indexList(value);
    case Form::seconds: return secondsOf(fieldOf(move, root), value);
  }
  return value;
}

std::optional<json::Value> formDown(const Move& move, json::Value value) {
  switch (move.form) {
    case Form::same:
    case Form::opposite:
    case Form::onlyTrue:
    case Form::absentWhenEmpty:
    case Form::nameAndNamespace:
    case Form::templateReference: return value;
    case Form::contractReference: return withVersion(value);
    case Form::nodeReference: return nodeObject(std::move(value));
    case Form::machinePhase: return value == json::Value("Updating") ? json::Value("Running") : value;
    case Form::namedObjects: return mapOf(value, withoutName);
    case Form::namedValues: return mapOf(value, valueOf);
    case Form::namedIndexes: return mapOf(value, indexOf);
    case Form::seconds: return json::Value(goDuration(std::chrono::seconds(value.to_number<std::int64_t>())));
  }
  return value;
}

}  // namespace ingot::api::conversion
