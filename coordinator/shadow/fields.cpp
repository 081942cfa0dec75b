#include "coordinator/shadow/fields.hpp"

#include "base/clock.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace ingot::coordinator::shadow {
namespace {

using std::string_view_literals::operator""sv;

// Of metadata: what names the object, and what the server keeps for itself.
constexpr std::array kServers = {"name"sv,
                                 "namespace"sv,
                                 "generateName"sv,
                                 "uid"sv,
                                 "resourceVersion"sv,
                                 "generation"sv,
                                 "managedFields"sv,
                                 "creationTimestamp"sv,
                                 "deletionTimestamp"sv,
                                 "selfLink"sv,
                                 "deletionGracePeriodSeconds"sv};
// Wherever they stand: wordings, the generation that a status is of, and how often something was tried.
constexpr std::array kNotCompared = {"message"sv, "errorMessage"sv, "failureMessage"sv, "observedGeneration"sv,
                                     "errorCount"sv};
// Of hosts; Metal3 has no such condition.
constexpr std::string_view kOwnCondition = "PowerStateKnown";
// By which an item of a list is known, the first one that it has.
constexpr std::array kIdentities = {"type"sv, "name"sv, "key"sv, "uid"sv, "mac"sv, "id"sv};
// Of a host, and of HardwareData.
constexpr std::array kHardware = {"status.hardware"sv, "spec.hardware"sv};
// Of a Node: of its spec, of its metadata, and of all of it.
constexpr std::array kOfNode = {"providerID"sv, "taints"sv, "unschedulable"sv};
constexpr std::string_view kDigest = "shadow.ingot.dev/digest";
constexpr std::string_view kOwn = "ingot.dev/", kApplied = "kubectl.kubernetes.io/last-applied-configuration";

// Annotations that carry a host's status and hardware.
constexpr std::array kDocuments = {"[baremetalhost.metal3.io/status]"sv, "[inspect.metal3.io/hardwaredetails]"sv};

constexpr std::array kPartsOfNode = {"kind"sv, "metadata"sv, "spec"sv};
constexpr std::array kOfMetadata = {"name"sv,        "resourceVersion"sv, "deletionTimestamp"sv, "labels"sv,
                                    "annotations"sv, "finalizers"sv,      "managedFields"sv};

bool holds(const auto& names, const auto& name) { return std::ranges::find(names, name) != names.end(); }

void keepOnly(json::Value& object, const auto& names) {
  if (!object.is_object()) return;
  json::Object kept;
  for (const auto name : names)
    if (json::Value* value = object.get_object().if_contains(name)) kept[name] = std::move(*value);
  object = std::move(kept);
}

// "" and false say as much as nothing, as Go writes it.
bool saysNothing(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return true;
    case boost::json::kind::bool_: return !value.get_bool();
    case boost::json::kind::string: return value.get_string().empty();
    case boost::json::kind::array: return value.get_array().empty();
    case boost::json::kind::object: return value.get_object().empty();
    case boost::json::kind::int64: return value.get_int64() == 0;
    case boost::json::kind::uint64: return value.get_uint64() == 0;
    case boost::json::kind::double_: return value.get_double() == 0;
  }
  return false;
}

bool isTime(const json::Value& value) { return value.is_string() && base::parseTime(value.get_string()).has_value(); }

bool isOwn(const json::Value& value) {
  return value.is_string() && std::string_view(value.get_string()).starts_with(kOwn);
}

std::string step(std::string_view path, std::string_view name) {
  const bool isPlain = std::ranges::all_of(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; });
  if (!isPlain) return fmt::format("{}[{}]", path, name);
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string item(std::string_view path, std::string_view identity) { return fmt::format("{}[{}]", path, identity); }

std::string identityOf(const json::Value& value) {
  for (const auto name : kIdentities)
    if (std::string text = json::textAt(value, {name}); !text.empty()) return text;
  return "";
}

// "": the items are not known by anything, or two by the same.
bool areNamed(const json::Array& items) {
  std::set<std::string> seen;
  return std::ranges::all_of(items, [&](const json::Value& each) {
    const std::string identity = identityOf(each);
    return !identity.empty() && seen.insert(identity).second;
  });
}

// JSON or YAML, and what is known to be one whatever it looks like.
bool isDocument(std::string_view path, std::string_view text) {
  for (const auto name : kDocuments)
    if (path.find(name) != std::string_view::npos) return true;
  text = base::trimmed(text);
  const bool isJson = text.starts_with('{') || text.starts_with('[');
  const bool isYaml = text.starts_with("---") || text.find('\n') != std::string_view::npos ||
                      text.find(": ") != std::string_view::npos || text.ends_with(':');
  return isJson || isYaml;
}

std::string digestOf(const json::Object& hardware);

class Flattening {
 public:
  Fields fields;

  void object(const json::Object& object, const std::string& path) {
    for (const auto& [name, value] : object) {
      const std::string_view key = name;
      if (path.empty() && (key == "apiVersion" || key == "kind")) continue;
      if (path == "metadata" && holds(kServers, key)) continue;
      if (holds(kNotCompared, key) || key.find(kOwn) != std::string_view::npos || key == kApplied) continue;
      any(value, step(path, key));
    }
  }

 private:
  void any(const json::Value& value, const std::string& path) {
    if (saysNothing(value) || isTime(value) || isOwn(value)) return;
    if (value.is_object() && holds(kHardware, path)) return leaf(json::Value(digestOf(value.get_object())), path);
    if (value.is_object()) return object(value.get_object(), path);
    if (value.is_array()) return list(value.get_array(), path);
    leaf(value, path);
  }

  void list(const json::Array& items, const std::string& path) {
    if (path == "metadata.finalizers") return set(items, path);
    if (!areNamed(items)) return leaf(items, path);
    for (const auto& each : items)
      if (const std::string name = identityOf(each); path != "status.conditions" || name != kOwnCondition)
        object(each.get_object(), item(path, name));
  }

  void set(const json::Array& items, const std::string& path) {
    for (const auto& each : items)
      if (each.is_string() && std::string_view(each.get_string()).find(kOwn) == std::string_view::npos)
        put(item(path, each.get_string()), "true");
  }

  // Of a document within an annotation only that it is there: it holds points in time, and who knows what.
  void leaf(const json::Value& value, const std::string& path) {
    const bool isHiddenWhole =
        value.is_string() && path.starts_with("metadata.annotations") && isDocument(path, value.get_string());
    put(path, isHiddenWhole ? "\"{...}\"" : json::serializeSorted(value));
  }

  void put(std::string path, std::string value) {
    bytes_ += path.size() + value.size();
    if (bytes_ > kLargestFields) throw TooLarge();
    fields[std::move(path)] = std::move(value);
  }

  std::size_t bytes_ = 0;
};

// Of what is compared of it.
std::string digestOf(const json::Object& hardware) {
  if (const auto* known = hardware.if_contains(kDigest); known != nullptr && known->is_string())
    return std::string(std::string_view(known->get_string()));
  Flattening flattening;
  flattening.object(hardware, "hardware");
  std::string text;
  for (const auto& [path, value] : flattening.fields) text.append(path).append("=").append(value).append("\n");
  return fmt::format("{:016x}", std::hash<std::string>()(text));
}

bool isSecret(const json::Value& object) { return json::textAt(object, {"kind"}) == "Secret"; }

// Where a member of fieldsV1 leads; "": nowhere else than its parent.
std::string placeOf(std::string_view member, const std::string& path) {
  if (member.starts_with("f:")) return step(path, member.substr(2));
  try {
    if (member.starts_with("k:")) return item(path, identityOf(json::parse(member.substr(2))));
    if (member.starts_with("v:")) {
      const json::Value value = json::parse(member.substr(2));
      return value.is_string() ? item(path, value.get_string()) : path;
    }
  } catch (const json::ParseError&) {
  }
  return path;
}

bool isAtOrBelow(std::string_view wanted, std::string_view path) {
  if (!wanted.starts_with(path)) return false;
  return wanted.size() == path.size() || wanted[path.size()] == '.' || wanted[path.size()] == '[';
}

// Whether one who owns these fields owns what stands at `wanted`.
bool owns(const json::Value& fields, const std::string& path, std::string_view wanted) {
  const json::Object* members = fields.if_object();
  if (members == nullptr || members->empty()) return !path.empty() && isAtOrBelow(wanted, path);
  return std::ranges::any_of(*members, [&](const auto& member) {
    if (member.key() == ".") return wanted == path;
    const std::string place = placeOf(member.key(), path);
    return isAtOrBelow(wanted, place) && owns(member.value(), place, wanted);
  });
}

// Who, by which way, and when; not of which fields: they become fewer when somebody else takes one away.
std::size_t digestOfWrite(const json::Value& entry) {
  std::string text;
  for (const char* part : {"manager", "operation", "subresource", "time"}) text += json::textAt(entry, {part}) + "\n";
  return std::hash<std::string>()(text);
}

std::string messageOf(const json::Value& object, std::string_view type) {
  const json::Array* conditions = json::arrayAt(object, {"status", "conditions"});
  if (conditions == nullptr) return "";
  for (const auto& each : *conditions)
    if (json::textAt(each, {"type"}) == type) return json::textAt(each, {"message"});
  return "";
}

}  // namespace

Fields fieldsOf(const json::Value& object) {
  Flattening flattening;
  if (object.is_object()) flattening.object(object.get_object(), "");
  if (json::find(object, {"metadata", "deletionTimestamp"}) != nullptr)
    flattening.fields[std::string(leaving)] = "true";
  return std::move(flattening.fields);
}

std::optional<Fields> boundedFieldsOf(const json::Value& object) {
  try {
    return fieldsOf(object);
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

std::vector<Change> changes(const Fields& before, const Fields& after) {
  std::vector<Change> out;
  auto was = before.begin();
  auto is = after.begin();
  while (was != before.end() || is != after.end()) {
    if (is == after.end() || (was != before.end() && was->first < is->first)) {
      out.push_back({was->first, was->second, std::nullopt});
      ++was;
    } else if (was == before.end() || is->first < was->first) {
      out.push_back({is->first, std::nullopt, is->second});
      ++is;
    } else {
      if (was->second != is->second) out.push_back({was->first, was->second, is->second});
      ++was, ++is;
    }
  }
  return out;
}

void keepCompared(json::Value& object, std::string_view resource) {
  if (resource != "nodes" || !object.is_object()) return;
  keepOnly(object, kPartsOfNode);
  if (json::Value* spec = object.get_object().if_contains("spec")) keepOnly(*spec, kOfNode);
  if (json::Value* metadata = object.get_object().if_contains("metadata")) keepOnly(*metadata, kOfMetadata);
}

void digestHardware(json::Value& object) {
  for (const char* part : {"status", "spec"}) {
    const json::Object* hardware = json::objectAt(object, {part, "hardware"});
    if (hardware == nullptr) continue;
    object.at(part).as_object()["hardware"] = json::Object{{kDigest, digestOf(*hardware)}};
  }
}

void hideSecrets(json::Value& object, std::string_view salt) {
  if (!isSecret(object)) return;
  for (const char* place : {"data", "stringData"}) {
    json::Value* values = object.as_object().if_contains(place);
    if (values == nullptr || !values->is_object()) continue;
    for (auto& [name, value] : values->get_object()) {
      const std::string text = fmt::format("{}/{}/{}", salt, std::string_view(name), json::serialize(value));
      value = fmt::format("{:016x}", std::hash<std::string>()(text));
    }
  }
  if (json::objectAt(object, {"metadata", "annotations"}) != nullptr)
    object.at("metadata").as_object().erase("annotations");
}

bool isHidden(std::string_view resource, std::string_view path) {
  return resource == "secrets" && (path.starts_with("data") || path.starts_with("stringData"));
}

Writes writesIn(const json::Value& object) {
  Writes writes;
  if (const json::Array* entries = json::arrayAt(object, {"metadata", "managedFields"}))
    for (const auto& entry : *entries) writes.push_back(digestOfWrite(entry));
  return writes;
}

std::optional<std::string> managerOf(const json::Value& object, std::string_view path, const Writes& before) {
  const json::Array* entries = json::arrayAt(object, {"metadata", "managedFields"});
  if (entries == nullptr) return "";
  std::optional<std::string> owner, since;
  std::string ownedAt, sinceAt;
  for (const auto& entry : *entries) {
    const std::string manager = json::textAt(entry, {"manager"}), at = json::textAt(entry, {"time"});
    const json::Value* fields = json::find(entry, {"fieldsV1"});
    if (at >= sinceAt && !holds(before, digestOfWrite(entry))) sinceAt = at, since = manager;
    if (at >= ownedAt && fields != nullptr && owns(*fields, "", path)) ownedAt = at, owner = manager;
  }
  return owner ? owner : since;
}

std::string reasonIn(const json::Value& before, const json::Value& after) {
  std::string error = json::textAt(after, {"status", "errorMessage"});
  if (!error.empty() && error != json::textAt(before, {"status", "errorMessage"})) return error;
  const json::Array* conditions = json::arrayAt(after, {"status", "conditions"});
  if (conditions == nullptr) return "";
  for (const auto& each : *conditions) {
    const std::string type = json::textAt(each, {"type"}), message = json::textAt(each, {"message"});
    if (!message.empty() && message != messageOf(before, type)) return fmt::format("{}: {}", type, message);
  }
  return "";
}

}  // namespace ingot::coordinator::shadow
