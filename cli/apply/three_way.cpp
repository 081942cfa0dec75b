#include "cli/apply/three_way.hpp"

#include "json/patch.hpp"

namespace ingot::cli {
namespace {

// Go's encoder also escapes what could end a script element, and the two line separators of JavaScript.
std::string escapeAsGo(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest(text.data() + i, text.size() - i);
    if (text[i] == '<')
      out += "\\u003c";
    else if (text[i] == '>')
      out += "\\u003e";
    else if (text[i] == '&')
      out += "\\u0026";
    else if (rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9")) {
      out += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else
      out += text[i];
  }
  return out;
}

enum class Keep { nulls, others };

// The members of a merge patch that remove something, or those that do not.
json::Object filtered(const json::Object& patch, Keep keep) {
  json::Object out;
  for (const auto& [name, value] : patch) {
    if (value.is_object() && !value.get_object().empty()) {
      json::Object inner = filtered(value.get_object(), keep);
      if (!inner.empty()) out[name] = std::move(inner);
    } else if (value.is_null() == (keep == Keep::nulls)) {
      out[name] = value;
    }
  }
  return out;
}

json::Object filteredDiff(const json::Value& from, const json::Value& to, Keep keep) {
  const json::Value patch = json::mergePatch(from, to);
  return patch.is_object() ? filtered(patch.get_object(), keep) : json::Object{};
}

void join(json::Object& into, const json::Object& from) {
  for (const auto& [name, value] : from) {
    json::Value* there = into.if_contains(name);
    if (there && there->is_object() && value.is_object())
      join(there->get_object(), value.get_object());
    else
      into[name] = value;
  }
}

}  // namespace

json::Value withLastApplied(json::Value manifest) {
  json::Object& annotations = json::makeObjectAt(manifest, {"metadata", "annotations"});
  annotations.erase(kLastApplied);
  std::string remembered = escapeAsGo(json::serializeSorted(manifest)) + "\n";
  annotations[kLastApplied] = std::move(remembered);
  return manifest;
}

std::optional<json::Value> lastApplied(const json::Value& live) {
  const auto text = json::stringAt(live, {"metadata", "annotations", kLastApplied});
  if (!text) return std::nullopt;
  try {
    return json::parse(*text);
  } catch (const json::ParseError&) {
    return std::nullopt;
  }
}

json::Value threeWayPatch(const std::optional<json::Value>& original, const json::Value& modified,
                          const json::Value& live) {
  json::Object patch = filteredDiff(live, modified, Keep::others);
  if (original) join(patch, filteredDiff(*original, modified, Keep::nulls));
  return patch;
}

}  // namespace ingot::cli
