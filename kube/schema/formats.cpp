#include "kube/schema/formats.hpp"

#include "base/clock.hpp"
#include "json/codec.hpp"

#include <cctype>
#include <limits>

namespace ingot::kube {

namespace {

// scheme ":" rest, as Go's url.ParseRequestURI wants it: absolute, or a path.
bool isUri(std::string_view text) {
  if (text.starts_with('/')) return true;
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !std::isalpha(static_cast<unsigned char>(text[0]))) return false;
  const auto inScheme = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
  };
  const bool scheme = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), inScheme);
  const bool clean =
      std::none_of(text.begin(), text.end(), [](char c) { return c == ' ' || static_cast<unsigned char>(c) < 0x20; });
  return scheme && clean && colon + 1 < text.size();
}

bool isDate(std::string_view text) {
  return text.size() == 10 && base::parseTime(std::string(text) + "T00:00:00Z").has_value();
}

bool isUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !std::isxdigit(static_cast<unsigned char>(text[i]))) return false;
  }
  return true;
}

}  // namespace

bool stringHasFormat(std::string_view text, std::string_view format) {
  if (format == "date-time") return base::parseTime(text).has_value();
  if (format == "byte") return json::fromBase64(text).has_value();
  if (format == "uri") return isUri(text);
  if (format == "date") return isDate(text);
  if (format == "uuid") return isUuid(text);
  return true;
}

bool numberHasFormat(const json::Value& number, std::string_view format) {
  if (format != "int32" && format != "int64") return true;
  if (number.is_uint64()) return false;  // larger than any int64
  if (number.is_double()) return true;
  if (format == "int64") return true;
  const std::int64_t value = number.get_int64();
  return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

std::size_t runes(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace ingot::kube
