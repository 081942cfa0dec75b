#include "apiserver/registry/metadata.hpp"

#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {
namespace {

constexpr std::string_view serverMembers[] = {"uid",        "creationTimestamp", "deletionTimestamp",
                                              "generation", "namespace",         "deletionGracePeriodSeconds"};
constexpr std::string_view droppedMembers[] = {"selfLink", "managedFields"};

// What is empty counts as not set: Go's encoders write null for it, its decoders forget an empty map.
bool isUnset(const json::Value& value) {
  if (const auto* text = value.if_string()) return text->empty();
  if (const auto* list = value.if_array()) return list->empty();
  if (const auto* members = value.if_object()) return members->empty();
  return value.is_null();
}

void dropUnset(json::Object& metadata) {
  std::vector<std::string> unset;
  for (const auto& [member, value] : metadata) {
    if (isUnset(value)) unset.emplace_back(member);
  }
  for (const auto& member : unset) metadata.erase(member);
}

}  // namespace

json::Object& metadataOf(json::Value& document) {
  if (!document.is_object()) throw badRequest("the object provided is not a JSON object");
  auto& metadata = document.get_object()["metadata"];
  if (metadata.is_null()) metadata = json::Object(document.storage());
  if (!metadata.is_object()) throw badRequest("metadata is not an object");
  return metadata.get_object();
}

std::string textIn(const json::Object& object, std::string_view member) {
  const auto* value = object.if_contains(member);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

void setFinalizers(json::Object& metadata, const std::vector<std::string>& finalizers) {
  if (finalizers.empty()) {
    metadata.erase("finalizers");
    return;
  }
  json::Array list(metadata.storage());
  for (const auto& finalizer : finalizers) list.emplace_back(finalizer);
  metadata["finalizers"] = std::move(list);
}

std::string generatedName(std::string_view base, base::Random& random) {
  constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz2456789";
  std::string name(base.substr(0, 58));
  for (int i = 0; i < 5; ++i) name += letters[random.below(letters.size())];
  return name;
}

void beginLife(json::Value& document, const ResourceInfo& info, base::WallTime now, base::Random& random) {
  auto& metadata = metadataOf(document);
  dropUnset(metadata);
  for (const auto member : droppedMembers) metadata.erase(member);
  for (const auto member : {"deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "generation"}) {
    metadata.erase(member);
  }
  if (!info.namespaced) metadata.erase("namespace");
  if (textIn(metadata, "name").empty() && !textIn(metadata, "generateName").empty()) {
    metadata["name"] = generatedName(textIn(metadata, "generateName"), random);
  }
  metadata["uid"] = random.uuid();
  metadata["creationTimestamp"] = base::formatTime(now);
  if (info.hasGeneration) metadata["generation"] = 1;
}

void keepServerMembers(json::Object& metadata, const json::Object& old) {
  dropUnset(metadata);
  for (const auto member : droppedMembers) metadata.erase(member);
  for (const auto member : serverMembers) {
    if (const auto* value = old.if_contains(member)) {
      metadata[member] = *value;
    } else {
      metadata.erase(member);
    }
  }
}

void growGeneration(json::Object& metadata) {
  const auto* value = metadata.if_contains("generation");
  metadata["generation"] = (value && value->is_int64() ? value->get_int64() : 0) + 1;
}

void beginDeletion(json::Value& document, const ResourceInfo& info, base::WallTime now) {
  auto& metadata = metadataOf(document);
  metadata["deletionTimestamp"] = base::formatTime(now);
  metadata["deletionGracePeriodSeconds"] = 0;
  if (info.hasGeneration) growGeneration(metadata);
}

}  // namespace ingot::apiserver
