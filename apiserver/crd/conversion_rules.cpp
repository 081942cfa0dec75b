#include "apiserver/crd/conversion_rules.hpp"

#include "kube/schema/prune.hpp"

namespace ingot::apiserver {

namespace {

// Everything of `before`, but for the labels and annotations of `after`.
void keepMetadata(json::Value before, json::Object& after) {
  json::Value& now = after["metadata"];
  json::Object kept = before.is_object() ? std::move(before.get_object()) : json::Object();
  for (std::string_view member : {"labels", "annotations"}) {
    const json::Value* value = now.is_object() ? now.get_object().if_contains(member) : nullptr;
    if (value)
      kept[member] = *value;
    else
      kept.erase(member);
  }
  now = std::move(kept);
}

}  // namespace

ConversionRules::ConversionRules(const ResourceInfo& info, Catalog::Versions schemas,
                                 std::shared_ptr<const KindConverter> converter)
    : group_(info.group),
      kind_(info.kind),
      storage_(info.storageVersion),
      schemas_(std::move(schemas)),
      converter_(std::move(converter)) {}

bool ConversionRules::converts(const std::string& version) const { return version != storage_; }

void ConversionRules::toStorage(json::Value& object, const std::string& version) const {
  if (!converts(version)) return;
  object.as_object()["apiVersion"] = group_ + "/" + version;
  object.as_object()["kind"] = kind_;
  convert(object, storage_);
  kube::applyDefaults(schemas_.at(storage_)->schema(), object);
}

void ConversionRules::fromStorage(json::Value& object, const std::string& version) const {
  if (converts(version)) convert(object, version);
}

void ConversionRules::convert(json::Value& object, const std::string& to) const {
  json::Value converted;
  try {
    converted = converter_->convert(object, to);
  } catch (const base::Error& problem) {
    throw failed(object, problem.what());
  }
  if (!converted.is_object() || json::textAt(converted, {"kind"}) != kind_)
    throw failed(object, "the result is no " + kind_);
  keepMetadata(object.get_object()["metadata"], converted.get_object());
  std::vector<std::string> unknown;
  kube::pruneObject(schemas_.at(to)->schema(), converted, unknown);
  object = std::move(converted);
}

// In the words in which a kube-apiserver speaks of its conversion webhooks.
ApiError ConversionRules::failed(const json::Value& object, std::string_view problem) const {
  Status status{.code = 500};
  status.message = fmt::format("conversion webhook for {}, Kind={} failed: {}", json::textAt(object, {"apiVersion"}),
                               kind_, problem);
  return ApiError(std::move(status));
}

}  // namespace ingot::apiserver
