// Which plain scalars are not texts, by the rules of YAML 1.1 as Go's yaml.v2 applies them.
#include "json/yaml.hpp"
#include "json/yaml/cursor.hpp"
#include "json/yaml/plain.hpp"

namespace ingot::json::yaml {

namespace {

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

std::optional<Value> asFloat(std::string_view text) {
  if (!hasFloatForm(text)) return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);
  double d = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), d);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return Value(d);
}

}  // namespace

std::string withoutUnderscores(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](char c) { return c != '_'; });
  return out;
}

bool hasFloatForm(std::string_view text) {
  Cursor at(text);
  at.take("+-");
  const bool whole = !at.digits().empty();
  const bool point = at.take(".");
  const bool fraction = point && !at.digits().empty();
  if (!whole && !fraction) return false;
  if (!at.take("eE")) return at.done();
  at.take("+-");
  return !at.digits().empty() && at.done();
}

Value resolve(std::string_view plain) {
  if (isOneOf(plain, kNullWords)) return {};
  if (isOneOf(plain, kTrueWords)) return Value(true);
  if (isOneOf(plain, kFalseWords)) return Value(false);
  if (isOneOf(plain, kWordsBeyondJson)) throw YamlError("\"" + std::string(plain) + "\" cannot be said in JSON", 0);
  const char first = plain.front();
  if (isAsciiDigit(first) || first == '-' || first == '+' || first == '.') {
    const std::string text = withoutUnderscores(plain);
    if (first != '.')
      if (auto n = asInteger(text)) return *n;
    if (auto d = asFloat(text)) return *d;
  }
  return Value(plain);
}

}  // namespace ingot::json::yaml
