#include "kube/schema/formats.hpp"

#include "base/url_text.hpp"
#include "kube/schema/pattern.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace ingot::kube {

namespace {

unsigned number(std::string_view digits) {
  unsigned out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

bool isDate(std::string_view text) {
  static const Pattern shape("^[0-9]{4}-[0-9]{2}-[0-9]{2}$");
  if (!shape.found(text)) return false;
  return std::chrono::year_month_day{std::chrono::year(static_cast<int>(number(text.substr(0, 4)))),
                                     std::chrono::month(number(text.substr(5, 2))),
                                     std::chrono::day(number(text.substr(8, 2)))}
      .ok();
}

// As lenient as upstream: any letter case, any character before the fraction, any offset, and what follows another T
// is not looked at.
bool isDateTime(std::string_view text) {
  static const Pattern time("^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?([zZ]|[+-][0-9]{2}:[0-9]{2})$");
  const auto t = text.find_first_of("tT");
  if (t == std::string_view::npos || !isDate(text.substr(0, t))) return false;
  const std::string_view rest = text.substr(t + 1);
  return time.found(rest.substr(0, rest.find_first_of("tT")));
}

bool isBase64(std::string_view text) {
  static const Pattern shape("^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$");
  return shape.found(text);
}

bool isUuid(std::string_view text) {
  static const Pattern shape("^[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}$");
  return shape.found(text);
}

bool isWhole(double v) { return std::isfinite(v) && std::floor(v) == v; }

}  // namespace

bool stringHasFormat(std::string_view text, std::string_view format) {
  if (format == "date-time") return isDateTime(text);
  if (format == "byte") return isBase64(text);
  if (format == "uri") return base::url_text::parseRequest(text).url.has_value();
  if (format == "date") return isDate(text);
  if (format == "uuid") return isUuid(text);
  return true;
}

bool isInteger(const json::Value& v) {
  constexpr double kCounted = 9007199254740991;  // 2^53 - 1: a double tells every whole number up to here
  if (v.is_int64()) return true;
  return v.is_double() && isWhole(v.get_double()) && std::abs(v.get_double()) <= kCounted;
}

bool fitsInteger(const json::Value& v, std::string_view format) {
  const bool small = format == "int32";
  if (v.is_int64()) return !small || std::in_range<std::int32_t>(v.get_int64());
  if (!v.is_double() || !isWhole(v.get_double())) return false;
  const double limit = small ? 0x1p31 : 0x1p63;
  return -limit <= v.get_double() && v.get_double() < limit;
}

std::size_t runes(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace ingot::kube
