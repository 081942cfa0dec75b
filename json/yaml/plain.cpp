#include "json/yaml/plain.hpp"

#include "json/yaml/cursor.hpp"

#include <cmath>
#include <cstdlib>

namespace ingot::json::yaml {

namespace {

// The merge key and the default value of YAML 1.1.
constexpr std::array kWordsOfYaml11{"<<", "="};

bool isWord(std::string_view text) {
  if (text.size() > 5) return false;
  return isOneOf(text, kTrueWords) || isOneOf(text, kFalseWords) || isOneOf(text, kNullWords) ||
         isOneOf(text, kWordsBeyondJson) || isOneOf(text, kWordsOfYaml11);
}

// [eE][-+][0-9]+, or nothing.
bool yaml11Exponent(Cursor& text) { return !text.take("eE") || (text.take("+-") && !text.digits().empty()); }

// The programs never set a locale, so the point is a point.
bool fitsDouble(const std::string& text) { return !std::isinf(std::strtod(text.c_str(), nullptr)); }

bool isDecimal(const std::string& text) { return hasFloatForm(text) && fitsDouble(text); }

struct Digits {
  std::string_view text;
  int radix;
  bool negative = false, anySign = false;
};

bool fits64Bits(const Digits& digits) {
  std::uint64_t value = 0;
  const char* end = digits.text.data() + digits.text.size();
  const auto [stop, problem] = std::from_chars(digits.text.data(), end, value, digits.radix);
  if (digits.text.empty() || problem != std::errc{} || stop != end) return false;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return !digits.anySign || value <= kMost || (digits.negative && value == kMost + 1);
}

int radixOf(char letter) {
  switch (letter) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 0;
  }
}

// 0x1F, 0o17, 0b101, underscores already gone. Go also takes a sign behind 0b.
bool isBasedInteger(std::string_view text) {
  Cursor at(text);
  const bool negative = at.at("-");
  const bool anySign = at.take("+-");
  if (at.rest().size() < 3 || !at.take("0")) return false;
  const char letter = at.rest().front();
  const int radix = radixOf(letter);
  if (radix == 0) return false;
  at.take("xXoObB");
  if (letter == 'b' && !anySign && at.at("+-")) {
    const bool inner = at.at("-");
    at.take("+-");
    return fits64Bits({.text = at.rest(), .radix = 2, .negative = inner, .anySign = true});
  }
  return fits64Bits({.text = at.rest(), .radix = radix, .negative = negative, .anySign = anySign});
}

// [-+]?0b[0-1_]+ | [-+]?0x[0-9a-fA-F_]+ : of any length.
bool isYaml11BasedInteger(std::string_view text) {
  Cursor at(text);
  at.take("+-");
  if (at.rest().size() < 3 || !at.take("0")) return false;
  if (at.take("b"))
    at.takeWhile([](char c) { return c == '0' || c == '1' || c == '_'; });
  else if (at.take("x"))
    at.takeWhile(
        [](char c) { return isAsciiDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '_'; });
  else
    return false;
  return at.done();
}

// [-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)? : of any size.
bool isYaml11Float(std::string_view text) {
  Cursor at(text);
  at.take("+-");
  if (at.at("_") || at.digitsAndUnderscores().empty() || !at.take(".")) return false;
  at.digitsAndUnderscores();
  return yaml11Exponent(at) && at.done();
}

// [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)? : 12:30:45.
bool isSexagesimal(std::string_view text) {
  Cursor at(text);
  at.take("+-");
  if (at.at("_") || at.digitsAndUnderscores().empty() || !at.at(":")) return false;
  while (at.take(":")) {
    const std::string_view part = at.digits(2);
    if (part.empty() || (part.size() == 2 && part.front() > '5')) return false;
  }
  if (at.take(".")) at.digitsAndUnderscores();
  return at.done();
}

// Underscores only between two digits, as in Go's numbers.
bool underscoresStandBetweenDigits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') continue;
    const bool before = i > 0 && isAsciiDigit(text[i - 1]);
    const bool after = i + 1 < text.size() && isAsciiDigit(text[i + 1]);
    if (!before || !after) return false;
  }
  return true;
}

// \.[0-9][0-9_]*([eE][-+][0-9]+)? : of any size.
bool isYaml11Fraction(std::string_view text) {
  Cursor at(text);
  if (!at.take(".") || at.at("_") || at.digitsAndUnderscores().empty()) return false;
  return yaml11Exponent(at) && at.done();
}

bool isFraction(std::string_view text) {
  return isYaml11Fraction(text) || (underscoresStandBetweenDigits(text) && isDecimal(withoutUnderscores(text)));
}

bool isNumber(std::string_view text) {
  const std::string bare = withoutUnderscores(text);
  return isDecimal(bare) || isBasedInteger(bare) || isYaml11BasedInteger(text) || isYaml11Float(text) ||
         isSexagesimal(text);
}

}  // namespace

bool readsAsText(std::string_view plain) {
  if (plain.empty() || isWord(plain)) return false;
  const char first = plain.front();
  if (first == '.') return !isFraction(plain);
  if (!isAsciiDigit(first) && first != '+' && first != '-') return true;
  return !isNumber(plain) && !readsAsTimestamp(plain);
}

}  // namespace ingot::json::yaml
