#include "coordinator/migration/plan.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ingot::coordinator::migration {
namespace {

std::optional<std::int64_t> numberIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

bool contains(const std::vector<std::string>& versions, std::string_view version) {
  return std::ranges::find(versions, version) != versions.end();
}

bool isTrue(const json::Value& object, std::string_view member) {
  const auto* value = json::find(object, {member});
  return value != nullptr && value->is_bool() && value->get_bool();
}

const json::Array& arrayAt(const json::Value& object, std::initializer_list<std::string_view> path) {
  static const json::Array none;
  const auto* found = json::find(object, path);
  return found != nullptr && found->is_array() ? found->get_array() : none;
}

bool isOutdated(const Definition& definition, const json::Value& entry) {
  const std::string apiVersion = json::textAt(entry, {"apiVersion"});
  const std::string prefix = definition.group + "/";
  return apiVersion.starts_with(prefix) && !contains(definition.served, apiVersion.substr(prefix.size()));
}

}  // namespace

std::string Definition::apiVersion(std::string_view version) const { return fmt::format("{}/{}", group, version); }

Definition definitionIn(const json::Value& document) {
  Definition out{.group = json::textAt(document, {"spec", "group"}),
                 .kind = json::textAt(document, {"spec", "names", "kind"}),
                 .plural = json::textAt(document, {"spec", "names", "plural"}),
                 .resourceVersion = json::textAt(document, {"metadata", "resourceVersion"}),
                 .observed = numberIn(json::textAt(document, {"metadata", "annotations", observedAnnotation}))};
  if (const auto* generation = json::find(document, {"metadata", "generation"}); generation && generation->is_int64())
    out.generation = generation->get_int64();
  for (const auto& version : arrayAt(document, {"spec", "versions"})) {
    const std::string name = json::textAt(version, {"name"});
    if (isTrue(version, "served")) out.served.push_back(name);
    if (isTrue(version, "storage")) out.storage = name;
  }
  for (const auto& version : arrayAt(document, {"status", "storedVersions"}))
    if (version.is_string()) out.stored.emplace_back(version.get_string());
  if (out.storage.empty() || out.plural.empty())
    throw base::Error("a CustomResourceDefinition without a stored version");
  return out;
}

Phases due(const Definition& definition, const Phases& wanted) {
  if (definition.observed == definition.generation) return {.storageVersion = false, .managedFields = false};
  return {.storageVersion = wanted.storageVersion && definition.stored != std::vector{definition.storage},
          .managedFields = wanted.managedFields};
}

json::Value storageMigration(const Definition& definition, const json::Value& object) {
  json::Object metadata{{"name", json::textAt(object, {"metadata", "name"})},
                        {"resourceVersion", json::textAt(object, {"metadata", "resourceVersion"})}};
  return json::Object{{"apiVersion", definition.apiVersion(definition.storage)},
                      {"kind", definition.kind},
                      {"metadata", std::move(metadata)}};
}

std::optional<json::Value> managedFieldsCleanup(const Definition& definition, const json::Value& object) {
  json::Array kept;
  const json::Value* outdated = nullptr;
  const auto& entries = arrayAt(object, {"metadata", "managedFields"});
  for (const auto& entry : entries) {
    if (!isOutdated(definition, entry))
      kept.push_back(entry);
    else if (outdated == nullptr)
      outdated = &entry;
  }
  if (outdated == nullptr) return std::nullopt;
  if (kept.empty()) {
    json::Object seed{{"manager", json::textAt(*outdated, {"manager"})},
                      {"operation", json::textAt(*outdated, {"operation"})},
                      {"apiVersion", definition.apiVersion(definition.storage)},
                      {"time", json::textAt(*outdated, {"time"})},
                      {"fieldsType", "FieldsV1"},
                      {"fieldsV1", json::parse(R"({"f:metadata":{"f:name":{}}})")}};
    if (seed["time"].get_string().empty()) seed.erase("time");
    kept.push_back(std::move(seed));
  }
  return json::Array{json::Object{{"op", "test"},
                                  {"path", "/metadata/resourceVersion"},
                                  {"value", json::textAt(object, {"metadata", "resourceVersion"})}},
                     json::Object{{"op", "replace"}, {"path", "/metadata/managedFields"}, {"value", std::move(kept)}}};
}

}  // namespace ingot::coordinator::migration
