// Plain scalars: what readers of YAML make of a text without quotes.
#pragma once

#include "json/value.hpp"

namespace ingot::json::yaml {

// By the rules of YAML 1.1, as Go's yaml.v2 applies them.
inline constexpr std::array kTrueWords{"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
inline constexpr std::array kFalseWords{"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
inline constexpr std::array kNullWords{"", "~", "null", "Null", "NULL"};
inline constexpr std::array kWordsBeyondJson{".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",  ".INF",
                                             "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};

[[nodiscard]] constexpr bool isOneOf(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](const char* word) { return text == word; });
}

[[nodiscard]] std::string withoutUnderscores(std::string_view text);

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
[[nodiscard]] bool hasFloatForm(std::string_view text);

// The value that kubectl reads. Throws YamlError for what JSON has no value for (.nan).
[[nodiscard]] Value resolve(std::string_view plain);

// True when every reader of YAML 1.1 takes the unquoted text for a text: neither Go's yaml.v2 nor the types of YAML 1.1
// (yes, 0x10, 1_000, 12:30:45, 2026-08-01, .inf, ~, <<, = ...) make anything else of it. Says nothing of indicators
// such as `#`.
[[nodiscard]] bool readsAsText(std::string_view plain);

// A point in time by the forms that Go's reader knows, which are valid dates, or by the pattern of YAML 1.1's timestamp
// type, which includes zones behind a space, and days that no calendar has.
[[nodiscard]] bool readsAsTimestamp(std::string_view text);

}  // namespace ingot::json::yaml
