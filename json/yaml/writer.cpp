// Value → YAML, written by hand: nodes that were provisioned by Metal3 compare the bytes of their data, which no
// library but Go's lays out that way.
#include "base/utf8.hpp"
#include "json/yaml.hpp"
#include "json/yaml/line_writer.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>

namespace ingot::json {

namespace yaml {

namespace {

// Readers give up on a key whose colon does not come within 1024 characters, quotes included.
constexpr std::size_t kLongestKey = 1021;
// A key longer than this, in bytes, is written in the `? ` form.
constexpr std::size_t kLongestSimpleKey = 128;

struct Problem {
  std::string text, details;
};

bool isControl(char32_t c) {
  if (c < 0x80) return c == 0x7F;  // the others have escapes
  return (c < 0xA0 && c != 0x85) || c == 0xFFFE || c == 0xFFFF;
}

std::optional<Problem> problemWith(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    if (isControl(rune.value))
      return Problem{"control characters are not allowed",
                     fmt::format("U+{:04X} at byte {}", static_cast<std::uint32_t>(rune.value), at)};
    at += rune.width;
  }
  return std::nullopt;
}

bool isAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x7F; });
}

std::string written(double number, std::chars_format form) {
  std::array<char, 64> text{};
  const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), number, form);
  return {text.data(), end};
}

// d.ddde±xx → xx
int exponentIn(const std::string& scientific) {
  const auto at = scientific.find('e') + 1;
  const char* from = scientific.data() + at + (scientific[at] == '+' ? 1 : 0);
  int exponent = 0;
  std::from_chars(from, scientific.data() + scientific.size(), exponent);
  return exponent;
}

// The shortest digits that read back as the same number, in Go's %g form: 0.1, 100000, 1e+06, 1e-07, -0. The number is
// finite.
std::string shortest(double number) {
  const std::string scientific = written(number, std::chars_format::scientific);
  const int exponent = exponentIn(scientific);
  constexpr int kLeast = -4, kMost = 5;
  return exponent < kLeast || exponent > kMost ? scientific : written(number, std::chars_format::fixed);
}

bool isOfClass(std::string_view oneRune, const re2::RE2& expression) {
  return re2::RE2::FullMatch(re2::StringPiece(oneRune.data(), oneRune.size()), expression);
}

// A character of a key, asked for what Unicode says of it.
class Character {
 public:
  Character(std::string_view text, std::size_t at)
      : rune_(base::runeAt(text, at)), bytes_(text.substr(at, rune_.width)) {}

  [[nodiscard]] char32_t value() const { return rune_.value; }
  [[nodiscard]] std::size_t width() const { return rune_.width; }

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

std::size_t startOfRune(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

// Where the first characters that differ begin.
std::size_t firstDifference(std::string_view a, std::string_view b) {
  const auto [inA, inB] = std::ranges::mismatch(a, b);
  const auto at = static_cast<std::size_t>(inA - a.begin());
  return std::min(startOfRune(a, at), startOfRune(b, at));
}

// Digits before `at` that are not all zero: 10 and 105 differ behind them.
bool followsNumber(std::string_view text, std::size_t at) {
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
  std::size_t end = 0;
};

// The run of digits at `at`, as Go counts: wrapping, and digits of other scripts by their distance from '0'.
Number numberAt(std::string_view text, std::size_t at, bool behindNumber) {
  std::uint64_t value = behindNumber ? 1 : 0;
  while (at < text.size()) {
    const Character c(text, at);
    if (!c.isDigit()) break;
    value = value * 10 + (static_cast<std::uint64_t>(c.value()) - U'0');
    at += c.width();
  }
  return {.value = static_cast<std::int64_t>(value), .end = at};
}

// Go's yaml.v2: runs of digits compare as numbers (a2 before a10), letters come behind other characters. Not transitive
// for mixtures such as a10, a1b, a2: nothing that needs a strict weak order may rely on it.
bool standsBefore(std::string_view a, std::string_view b) {
  const std::size_t at = firstDifference(a, b);
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

// Sorts by standsBefore(); where that is no order, the result still depends on the set of keys alone. UTF-8, no key
// twice. A list sorts by merging, which asks only about pairs it holds and so ends well for any answers; sorted as
// bytes first, it starts from the same row whatever order the keys came in.
void sortKeys(std::vector<std::string_view>& keys) {
  std::ranges::sort(keys);
  if (std::ranges::is_sorted(keys, standsBefore)) return;
  std::list<std::string_view> merged(keys.begin(), keys.end());
  merged.sort(standsBefore);
  std::ranges::copy(merged, keys.begin());
}

// One step of the way to a node: a member or an item.
struct Step {
  std::string_view key = {};
  std::optional<std::size_t> index = {};
};

std::string pathOf(const std::vector<Step>& steps) {
  std::string out;
  for (const Step& step : steps) {
    if (step.index)
      out += fmt::format("[{}]", *step.index);
    else
      out += (out.empty() ? "" : ".") + std::string(step.key);
  }
  return out;
}

enum class Place { root, item, keyOrValue };

class TreeWriter {
 public:
  explicit TreeWriter(YamlStyle style) : style_(style), lines_(style) {}

  std::string write(const Value& document) {
    node(document, Place::root);
    return lines_.finish();
  }

 private:
  void node(const Value& value, Place place) {
    switch (value.kind()) {
      case boost::json::kind::null: return lines_.word("null");
      case boost::json::kind::bool_: return lines_.word(value.get_bool() ? "true" : "false");
      case boost::json::kind::int64: return lines_.word(fmt::to_string(value.get_int64()));
      case boost::json::kind::uint64: return lines_.word(fmt::to_string(value.get_uint64()));
      case boost::json::kind::double_: return number(value.get_double());
      case boost::json::kind::string: return text(value.get_string());
      case boost::json::kind::array: return sequence(value.get_array(), place);
      case boost::json::kind::object: return mapping(value.get_object());
    }
  }

  void number(double value) {
    if (std::isfinite(value)) return lines_.word(shortest(value));
    if (style_ == YamlStyle::exact) throw YamlWriteError(pathOf(steps_), "number out of range", "JSON has no infinity");
    lines_.word("null");  // as in our JSON
  }

  // A list behind `key:` is not indented further.
  void sequence(const Array& items, Place place) {
    if (items.empty()) return lines_.word("[]");
    const bool sameIndent = place == Place::keyOrValue && !lines_.atBeginning();
    const LineWriter::Indent indent(lines_, sameIndent ? lines_.indent() : lines_.deeper());
    for (std::size_t i = 0; i < items.size(); ++i) {
      steps_.push_back({.index = i});
      lines_.startLine();
      lines_.marker("-");
      node(items[i], Place::item);
      steps_.pop_back();
    }
  }

  void mapping(const Object& members) {
    if (members.empty()) return lines_.word("{}");
    std::vector<std::string_view> keys;
    keys.reserve(members.size());
    for (const auto& member : members) keys.emplace_back(member.key());
    sortKeys(keys);

    const LineWriter::Indent indent(lines_, lines_.deeper());
    for (const std::string_view name : keys) {
      steps_.push_back({.key = name});
      lines_.startLine();
      key(name);
      node(members.at(name), Place::keyOrValue);
      steps_.pop_back();
    }
  }

  void key(std::string_view name) {
    if (style_ == YamlStyle::exact && name.size() > kLongestKey && base::countRunes(name) > kLongestKey)
      throw YamlWriteError(pathOf(steps_), "key too long", fmt::format("more than {} characters", kLongestKey));
    if (name.size() <= kLongestSimpleKey && !hasLineBreak(name)) {
      checked(name, [&](std::string_view good) { lines_.text(good, styleOfKey(good, style_), false); });
      return lines_.colon();
    }
    lines_.marker("?");
    text(name);
    lines_.startLine();
    lines_.marker(":");
  }

  void text(std::string_view value) {
    checked(value, [&](std::string_view good) { lines_.text(good, styleOf(good, style_), true); });
  }

  void checked(std::string_view text, auto write) {
    if (isAscii(text)) return write(text);
    const std::string good = base::toUtf8(text);
    if (const auto problem = style_ == YamlStyle::exact ? problemWith(good) : std::nullopt)
      throw YamlWriteError(pathOf(steps_), problem->text, problem->details);
    write(good);
  }

  YamlStyle style_;
  LineWriter lines_;
  std::vector<Step> steps_;
};

}  // namespace

}  // namespace yaml

YamlWriteError::YamlWriteError(std::string path, std::string problem, std::string details)
    : Error((path.empty() ? "" : path + ": ") + problem + " (" + details + ")"),
      path_(std::move(path)),
      problem_(std::move(problem)),
      details_(std::move(details)) {}

std::string toYaml(const Value& v, YamlStyle style) { return yaml::TreeWriter(style).write(v); }

}  // namespace ingot::json
