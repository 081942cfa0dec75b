#include "api/capm3/conversion/conversion_data.hpp"

#include "api/capm3/names.hpp"
#include "api/go_json.hpp"

namespace ingot::api::capm3 {

std::string conversionData(const json::Value& newer) {
  json::Object content = newer.get_object();
  content.erase("metadata");
  return escapedAsGo(json::serializeSorted(content));
}

std::optional<std::string> takeConversionData(json::Object& object) {
  json::Value* metadata = object.if_contains("metadata");
  json::Value* annotations =
      metadata && metadata->is_object() ? metadata->get_object().if_contains("annotations") : nullptr;
  if (!annotations || !annotations->is_object()) return std::nullopt;
  json::Object& all = annotations->get_object();
  const json::Value* data = all.if_contains(annotation::conversionData);
  if (!data || !data->is_string()) return std::nullopt;
  std::string out(data->get_string());
  all.erase(annotation::conversionData);
  if (all.empty()) metadata->get_object().erase("annotations");
  return out;
}

void putConversionData(json::Object& object, std::string data) {
  json::Value whole = std::move(object);
  json::makeObjectAt(whole, {"metadata", "annotations"})[annotation::conversionData] = std::move(data);
  object = std::move(whole.get_object());
}

}  // namespace ingot::api::capm3
