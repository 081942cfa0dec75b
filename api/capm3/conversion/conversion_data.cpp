#include "api/capm3/conversion/conversion_data.hpp"

#include "api/capm3/names.hpp"

namespace ingot::api::capm3 {

namespace {

constexpr std::pair<std::string_view, std::string_view> kEscaped[] = {
    {"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"},
};

// Go's JSON escapes what could end a script in a page. In serialised JSON these occur in texts only.
std::string escapedAsGo(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = std::string_view(text).substr(i);
    const auto* found = std::ranges::find_if(kEscaped, [&](const auto& e) { return rest.starts_with(e.first); });
    const bool known = found != std::end(kEscaped);
    out += known ? found->second : rest.substr(0, 1);
    i += known ? found->first.size() : 1;
  }
  return out;
}

}  // namespace

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
