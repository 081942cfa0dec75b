// Which plain scalars are not texts, by the rules of YAML 1.1 as Go's yaml.v2 applies them.
#include "json/yaml.hpp"

#include <cmath>

namespace ingot::json {

namespace {

constexpr std::array kTrue{"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
constexpr std::array kFalse{"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array kNull{"", "~", "null", "Null", "NULL"};
constexpr std::array kNotJson{".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",  ".INF",
                              "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};

bool isOneOf(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](const char* word) { return text == word; });
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string withoutUnderscores(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](char c) { return c != '_'; });
  return out;
}

struct Base {
  int radix;
  std::size_t prefix;
};

// As Go's ParseInt with base 0: 0x, 0b, 0o, and a leading 0 for octal.
Base baseOf(std::string_view digits) {
  if (digits.size() > 1 && digits[0] == '0') {
    switch (digits[1]) {
      case 'x':
      case 'X': return {16, 2};
      case 'b':
      case 'B': return {2, 2};
      case 'o':
      case 'O': return {8, 2};
      default: return {8, 1};
    }
  }
  return {10, 0};
}

std::optional<Value> asInteger(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const Base base = baseOf(text);
  text.remove_prefix(base.prefix);
  std::uint64_t n = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n, base.radix);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!negative) return n <= kMost ? Value(static_cast<std::int64_t>(n)) : Value(n);
  if (n > kMost + 1) return std::nullopt;
  return Value(static_cast<std::int64_t>(~n + 1));
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looksLikeFloat(std::string_view text) {
  const auto skipSign = [&] {
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  };
  const auto skipDigits = [&] {
    const auto n = static_cast<std::size_t>(std::ranges::find_if_not(text, isDigit) - text.begin());
    text.remove_prefix(n);
    return n > 0;
  };
  skipSign();
  const bool whole = skipDigits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!skipDigits() && !whole) return false;
  } else if (!whole) {
    return false;
  }
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  skipSign();
  return skipDigits() && text.empty();
}

std::optional<Value> asFloat(std::string_view text) {
  if (!looksLikeFloat(text)) return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);
  double d = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), d);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return Value(d);
}

}  // namespace

Value resolveYamlScalar(std::string_view plain) {
  if (isOneOf(plain, kNull)) return {};
  if (isOneOf(plain, kTrue)) return Value(true);
  if (isOneOf(plain, kFalse)) return Value(false);
  if (isOneOf(plain, kNotJson)) throw YamlError("\"" + std::string(plain) + "\" cannot be said in JSON", 0);
  const char first = plain.front();
  if (isDigit(first) || first == '-' || first == '+' || first == '.') {
    const std::string text = withoutUnderscores(plain);
    if (first != '.')
      if (auto n = asInteger(text)) return *n;
    if (auto d = asFloat(text)) return *d;
  }
  return Value(plain);
}

}  // namespace ingot::json
