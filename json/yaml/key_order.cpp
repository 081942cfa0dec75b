#include "json/yaml/key_order.hpp"

#include "base/utf8.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <list>

namespace ingot::json::yaml {

namespace {

using std::size_t;

bool isOfClass(std::string_view oneRune, const re2::RE2& expression) {
  return re2::RE2::FullMatch(re2::StringPiece(oneRune.data(), oneRune.size()), expression);
}

// A character of a key, asked for what Unicode says of it.
class Character {
 public:
  Character(std::string_view text, size_t at) : rune_(base::runeAt(text, at)), bytes_(text.substr(at, rune_.width)) {}

  [[nodiscard]] char32_t value() const { return rune_.value; }
  [[nodiscard]] size_t width() const { return rune_.width; }

  [[nodiscard]] bool isLetter() const {
    static const re2::RE2 expression("\\pL");
    if (rune_.value >= 0x80) return isOfClass(bytes_, expression);
    return (rune_.value >= 'a' && rune_.value <= 'z') || (rune_.value >= 'A' && rune_.value <= 'Z');
  }
  [[nodiscard]] bool isDigit() const {
    static const re2::RE2 expression("\\p{Nd}");
    if (rune_.value >= 0x80) return isOfClass(bytes_, expression);
    return rune_.value >= '0' && rune_.value <= '9';
  }

 private:
  base::Rune rune_;
  std::string_view bytes_;
};

size_t startOfRune(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

// Where the first characters that differ begin.
size_t firstDifference(std::string_view a, std::string_view b) {
  const auto [inA, inB] = std::ranges::mismatch(a, b);
  const auto at = static_cast<size_t>(inA - a.begin());
  return std::min(startOfRune(a, at), startOfRune(b, at));
}

// Digits before `at` that are not all zero: 10 and 105 differ behind them.
bool followsNumber(std::string_view text, size_t at) {
  while (at > 0) {
    at = startOfRune(text, at - 1);
    const Character before(text, at);
    if (!before.isDigit()) return false;
    if (before.value() != '0') return true;
  }
  return false;
}

struct Number {
  std::int64_t value = 0;
  size_t end = 0;
};

// The run of digits at `at`, as Go counts: wrapping, and digits of other scripts by their distance from '0'.
Number numberAt(std::string_view text, size_t at, bool behindNumber) {
  std::uint64_t value = behindNumber ? 1 : 0;
  while (at < text.size()) {
    const Character c(text, at);
    if (!c.isDigit()) break;
    value = value * 10 + (static_cast<std::uint64_t>(c.value()) - U'0');
    at += c.width();
  }
  return {.value = static_cast<std::int64_t>(value), .end = at};
}

}  // namespace

bool standsBefore(std::string_view a, std::string_view b) {
  const size_t at = firstDifference(a, b);
  if (at >= a.size() || at >= b.size()) return a.size() < b.size();
  const Character inA(a, at), inB(b, at);
  const bool letterA = inA.isLetter(), letterB = inB.isLetter();
  if (letterA && letterB) return inA.value() < inB.value();
  if (letterA || letterB) return letterB;

  const bool zero = inA.value() == '0' || inB.value() == '0';
  const bool behindNumber = zero && followsNumber(a, at);
  const Number numberA = numberAt(a, at, behindNumber), numberB = numberAt(b, at, behindNumber);
  if (numberA.value != numberB.value) return numberA.value < numberB.value;
  if (numberA.end != numberB.end) return numberA.end < numberB.end;
  return inA.value() < inB.value();
}

// A list sorts by merging, which asks only about pairs it holds and so ends well for any answers; sorted as bytes
// first, it starts from the same row whatever order the keys came in.
void sortKeys(std::vector<std::string_view>& keys) {
  std::ranges::sort(keys);
  if (std::ranges::is_sorted(keys, standsBefore)) return;
  std::list<std::string_view> merged(keys.begin(), keys.end());
  merged.sort(standsBefore);
  std::ranges::copy(merged, keys.begin());
}

}  // namespace ingot::json::yaml
