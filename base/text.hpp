// Small things that are done to texts everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ingot::base {

// Without the white space around it: blank, tab, line feed, carriage return, vertical tab, form feed.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\n\r\v\f";
  const auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

// A to Z as a to z, whatever the locale; other bytes stay.
[[nodiscard]] constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool equalButForCase(std::string_view a, std::string_view b);

// 0 to 15; -1 for what is no hexadecimal digit.
[[nodiscard]] constexpr int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (lower(c) >= 'a' && lower(c) <= 'f') return lower(c) - 'a' + 10;
  return -1;
}

// Two lower-case digits a byte.
[[nodiscard]] std::string hex(std::string_view bytes);

// "10.0.0.1:443", "[fd00::1]:443", "bmc.example:443".
[[nodiscard]] std::string hostAndPort(std::string_view host, std::string_view port);
[[nodiscard]] std::string hostAndPort(std::string_view host, std::uint16_t port);

}  // namespace ingot::base
