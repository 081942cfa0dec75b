#include "cloudinit/document.hpp"

#include "base/utf8.hpp"
#include "json/yaml.hpp"
#include "json/yaml/scalar.hpp"

namespace ingot::cloudinit {

namespace {

std::string escapedAsGo(char32_t c) {
  const auto value = static_cast<std::uint32_t>(c);
  switch (c) {
    case '\a': return "\\a";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case '\v': return "\\v";
    case '"': return "\\\"";
    case '\\': return "\\\\";
    default: break;
  }
  if (c < 0x20 || c == 0x7F) return fmt::format("\\x{:02x}", value);
  if (c <= 0xFFFF) return fmt::format("\\u{:04x}", value);
  return fmt::format("\\U{:08x}", value);
}

bool standsForItself(char32_t c) {
  if (c == '"' || c == '\\' || c == '\n' || c == 0xA0 || c == 0xAD) return false;
  return c > 0xFFFF || (json::yaml::isPrintable(c) && !json::yaml::isLineBreak(c));
}

}  // namespace

std::string quotedAsGo(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    out += standsForItself(rune.value) ? std::string(text.substr(at, rune.width)) : escapedAsGo(rune.value);
    at += rune.width;
  }
  return out + "\"";
}

std::string writeDocument(const Field& root, const json::Object& document) {
  try {
    return json::toYaml(document, json::YamlStyle::exact);
  } catch (const json::YamlWriteError& error) {
    throw RenderError(root.member(error.path()), error.details(), "yaml: " + error.problem());
  }
}

}  // namespace ingot::cloudinit
