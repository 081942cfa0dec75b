#include "kube/core/metadata_rules.hpp"

#include "base/text.hpp"
#include "kube/core/causes.hpp"

#include <algorithm>

namespace ingot::kube {
namespace {

using Causes = std::vector<StatusCause>;
constexpr std::size_t annotationLimit = 262'144;

std::string textIn(const json::Object& object, std::string_view member) {
  const auto* value = object.if_contains(member);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

void checkName(const json::Object& metadata, NameRule rule, Causes& causes) {
  const std::string name = textIn(metadata, "name");
  if (name.empty()) {
    causes.push_back(requiredValue("metadata.name", "name or generateName is required"));
    return;
  }
  const auto problem = nameProblem(rule, name);
  if (problem) causes.push_back(invalidValue("metadata.name", jsonText(name), *problem));
}

void checkLabels(const json::Object& metadata, Causes& causes) {
  const auto* labels = metadata.if_contains("labels");
  if (!labels || !labels->is_object()) return;
  for (const auto& [key, value] : labels->get_object()) {
    for (const auto& problem : qualifiedNameProblems(key))
      causes.push_back(invalidValue("metadata.labels", jsonText(key), problem));
    const std::string text = value.is_string() ? std::string(value.get_string()) : std::string();
    if (const auto problem = labelValueProblem(text)) {
      causes.push_back(invalidValue("metadata.labels", jsonText(text), *problem));
    }
  }
}

void checkAnnotations(const json::Object& metadata, Causes& causes) {
  const auto* annotations = metadata.if_contains("annotations");
  if (!annotations || !annotations->is_object()) return;
  std::size_t bytes = 0;
  for (const auto& [key, value] : annotations->get_object()) {
    for (const auto& problem : qualifiedNameProblems(base::lower(key)))
      causes.push_back(invalidValue("metadata.annotations", jsonText(key), problem));
    bytes += key.size() + (value.is_string() ? value.get_string().size() : 0);
  }
  if (bytes > annotationLimit) causes.push_back(tooLong("metadata.annotations", annotationLimit));
}

void checkFinalizers(const json::Object& metadata, Causes& causes, std::vector<std::string>& warnings) {
  const auto finalizers = finalizersOf(metadata);
  for (const auto& finalizer : finalizers) {
    const auto problems = qualifiedNameProblems(finalizer);
    for (const auto& problem : problems)
      causes.push_back(invalidValue("metadata.finalizers", jsonText(finalizer), problem));
    if (!problems.empty()) continue;
    if (finalizer.find('/') == std::string::npos && finalizer != "orphan" && finalizer != "foregroundDeletion" &&
        !finalizer.ends_with(".k8s.io")) {
      warnings.push_back(
          fmt::format("metadata.finalizers: \"{}\": prefer a domain-qualified finalizer name to avoid "
                      "accidental conflicts with other finalizer writers",
                      finalizer));
    }
  }
  const auto has = [&](std::string_view name) {
    return std::find(finalizers.begin(), finalizers.end(), name) != finalizers.end();
  };
  if (has("orphan") && has("foregroundDeletion")) {
    causes.push_back(invalidValue("metadata.finalizers", jsonText("orphan"),
                                  "finalizer foregroundDeletion and orphan cannot be both set"));
  }
}

void checkOwners(const json::Object& metadata, Causes& causes) {
  const auto* owners = metadata.if_contains("ownerReferences");
  if (!owners || !owners->is_array()) return;
  std::string controller;
  for (const auto& item : owners->get_array()) {
    if (!item.is_object()) continue;
    const auto& owner = item.get_object();
    for (const auto member : {"apiVersion", "kind", "name", "uid"}) {
      if (!textIn(owner, member).empty()) continue;
      causes.push_back(
          invalidValue(fmt::format("metadata.ownerReferences.{}", member), "\"\"",
                       std::string_view(member) == "apiVersion" ? "version must not be empty" : "must not be empty"));
    }
    const auto* controls = owner.if_contains("controller");
    if (!controls || !controls->is_bool() || !controls->get_bool()) continue;
    const std::string here = textIn(owner, "kind") + "/" + textIn(owner, "name");
    if (!controller.empty()) {
      causes.push_back(invalidValue(
          "metadata.ownerReferences", json::serialize(*owners),
          fmt::format("Only one reference can have Controller set to true. Found \"true\" in references for {} and {}",
                      controller, here)));
    }
    controller = here;
  }
}

bool sameMember(const json::Object& a, const json::Object& b, std::string_view member) {
  const auto *x = a.if_contains(member), *y = b.if_contains(member);
  return x && y && json::equal(*x, *y);
}

}  // namespace

std::vector<std::string> finalizersOf(const json::Object& metadata) {
  std::vector<std::string> finalizers;
  const auto* list = metadata.if_contains("finalizers");
  if (!list || !list->is_array()) return finalizers;
  for (const auto& item : list->get_array()) {
    if (item.is_string()) finalizers.emplace_back(item.get_string());
  }
  return finalizers;
}

Causes validateMetadata(const json::Object& metadata, NameRule rule, std::vector<std::string>& warnings) {
  Causes causes;
  checkName(metadata, rule, causes);
  checkLabels(metadata, causes);
  checkAnnotations(metadata, causes);
  checkFinalizers(metadata, causes, warnings);
  checkOwners(metadata, causes);
  return causes;
}

Causes validateMetadataUpdate(const json::Object& metadata, const json::Object& old) {
  Causes causes;
  if (const auto* at = metadata.if_contains("deletionTimestamp");
      at && !at->is_null() && !sameMember(metadata, old, "deletionTimestamp")) {
    causes.push_back(invalidValue("metadata.deletionTimestamp", json::serialize(*at), "field is immutable"));
  }
  if (const auto* uid = metadata.if_contains("uid"); uid && !uid->is_null() && !sameMember(metadata, old, "uid")) {
    causes.push_back(invalidValue("metadata.uid", json::serialize(*uid), "field is immutable"));
  }
  if (!old.contains("deletionTimestamp")) return causes;
  const auto before = finalizersOf(old);
  std::string added;
  for (const auto& finalizer : finalizersOf(metadata)) {
    if (std::find(before.begin(), before.end(), finalizer) != before.end()) continue;
    added += (added.empty() ? "" : ", ") + jsonText(finalizer);
  }
  if (added.empty()) return causes;
  const auto cause = forbiddenValue(
      "metadata.finalizers",
      fmt::format("no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
                  added));
  causes.push_back(cause);
  causes.push_back(cause);  // upstream says it twice, and clients compare
  return causes;
}

}  // namespace ingot::kube
