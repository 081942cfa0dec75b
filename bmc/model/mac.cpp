#include "bmc/model/mac.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace ingot::bmc {

namespace {

// The hex digits of "aa:bb:cc…" (groups of 2) or "aabb.ccdd…" (groups of 4); "" when the text is neither.
std::string digitsOf(std::string_view text) {
  if (text.size() < 5) return "";
  const std::size_t group = text[2] == ':' || text[2] == '-' ? 2 : 4;
  const char separator = text[group];
  if (group == 4 && separator != '.') return "";
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool atSeparator = i % (group + 1) == group;
    if (atSeparator ? text[i] != separator : base::hexDigit(text[i]) < 0) return "";
    if (!atSeparator) digits += base::lower(text[i]);
  }
  return digits.size() % group == 0 && text.size() % (group + 1) == group ? digits : "";
}

}  // namespace

std::optional<std::string> normaliseMac(std::string_view text) {
  const std::string digits = digitsOf(text);
  if (digits.size() != 12) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < digits.size(); i += 2) out += (i == 0 ? "" : ":") + digits.substr(i, 2);
  return out;
}

bool looksLikeHardwareAddress(std::string_view text) {
  const bool bare =
      std::ranges::all_of(text, [](char c) { return base::hexDigit(c) >= 0; });  // as Go reads them since 1.26
  const std::size_t octets = (bare && text.size() % 2 == 0 ? text.size() : digitsOf(text).size()) / 2;
  return octets == 6 || octets == 8 || octets == 20;
}

bool sameMac(std::string_view a, std::string_view b) {
  const auto first = normaliseMac(a);
  return first && first == normaliseMac(b);
}

}  // namespace ingot::bmc
