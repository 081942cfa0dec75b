#include "cli/show/documents.hpp"

#include "base/text.hpp"
#include "cli/words/plain_text.hpp"

#include <cctype>

namespace ingot::cli {

json::Value shown(json::Value object) {
  if (json::objectAt(object, {"metadata"})) object.as_object()["metadata"].as_object().erase("managedFields");
  return object;
}

json::Array arrayOf(const json::Value& document, std::string_view member) {
  const auto* array = json::arrayAt(document, {member});
  return array != nullptr ? *array : json::Array{};
}

json::Value asDocument(std::vector<json::Value> objects, bool single) {
  if (single && objects.size() == 1) return shown(std::move(objects.front()));
  json::Array items;
  for (json::Value& object : objects) items.push_back(shown(std::move(object)));
  return json::Object{{"apiVersion", "v1"},
                      {"kind", "List"},
                      {"metadata", json::Object{{"resourceVersion", ""}}},
                      {"items", std::move(items)}};
}

std::string nameLine(const json::Value& object) {
  const std::string apiVersion = json::textAt(object, {"apiVersion"});
  const auto slash = apiVersion.find('/');
  std::string line = base::lower(json::textAt(object, {"kind"}));
  if (slash != std::string::npos) line += "." + apiVersion.substr(0, slash);
  return plainText(line + "/" + json::textAt(object, {"metadata", "name"}));
}

}  // namespace ingot::cli
