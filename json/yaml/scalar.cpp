#include "json/yaml/scalar.hpp"

#include "base/utf8.hpp"
#include "json/yaml/plain.hpp"

namespace ingot::json::yaml {

namespace {

// What the characters of a text forbid.
struct Traits {
  bool indicators = false;  // something that means YAML where it stands
  bool breaks = false;
  bool outerBlank = false;  // a space or break at either end
  bool trailingSpace = false;
  bool spaceAfterBreak = false;
  bool spaceBeforeBreak = false;
  bool needsEscapes = false;
};

constexpr std::u32string_view kNeverFirst = U"#,[]{}&*!|>'\"%@`";
constexpr std::u32string_view kNeverFirstBeforeBlank = U"?:-";

bool isBlank(char32_t c) { return c == ' ' || c == '\t'; }

bool isCarriageReturnOrNel(char32_t c) { return c == '\r' || c == 0x85; }

bool isIndicator(char32_t c, bool first, bool blankBefore, bool blankAfter) {
  if (first) return kNeverFirst.contains(c) || (blankAfter && kNeverFirstBeforeBlank.contains(c));
  return (c == ':' && blankAfter) || (c == '#' && blankBefore);
}

// What keeps a character from standing for itself. YAML 1.2 has no line breaks but the ASCII ones, so that its readers
// and those of YAML 1.1 agree on U+2028 and U+2029 only when they are escaped.
bool needsEscape(char32_t c, YamlStyle style) {
  return !isPrintable(c) || (style == YamlStyle::manifest && c != '\n' && isLineBreak(c));
}

// Reads the text once, keeping the character before.
class Reading {
 public:
  explicit Reading(YamlStyle style) : style_(style) {}

  void next(char32_t c, bool first, bool last, bool blankAfter) {
    traits_.indicators = traits_.indicators || isIndicator(c, first, blankBefore_, blankAfter);
    traits_.needsEscapes = traits_.needsEscapes || needsEscape(c, style_);
    if (c == ' ') {
      space(first, last);
    } else if (isLineBreak(c) || isCarriageReturnOrNel(c)) {
      lineBreak(first, last);
    } else {
      previous_ = Previous::other;
    }
    blankBefore_ = isBlank(c) || previous_ == Previous::lineBreak || c == 0;
  }
  [[nodiscard]] Traits& traits() { return traits_; }

 private:
  enum class Previous { other, space, lineBreak };

  void space(bool first, bool last) {
    traits_.outerBlank = traits_.outerBlank || first || last;
    traits_.trailingSpace = traits_.trailingSpace || last;
    traits_.spaceAfterBreak = traits_.spaceAfterBreak || previous_ == Previous::lineBreak;
    previous_ = Previous::space;
  }
  void lineBreak(bool first, bool last) {
    traits_.breaks = true;
    traits_.outerBlank = traits_.outerBlank || first || last;
    traits_.spaceBeforeBreak = traits_.spaceBeforeBreak || previous_ == Previous::space;
    previous_ = Previous::lineBreak;
  }

  YamlStyle style_;
  Traits traits_;
  Previous previous_ = Previous::other;
  bool blankBefore_ = true;
};

Traits traitsOf(std::string_view text, YamlStyle style) {
  Reading reading(style);
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    const std::size_t next = at + rune.width;
    const bool last = next >= text.size();
    const bool blankAfter = last || isBlank(static_cast<unsigned char>(text[next]));
    reading.next(rune.value, at == 0, last, blankAfter);
    at = next;
  }
  if (text.starts_with("---") || text.starts_with("...")) reading.traits().indicators = true;
  return reading.traits();
}

ScalarStyle plainOrQuoted(const Traits& traits) {
  if (traits.needsEscapes || traits.spaceBeforeBreak || traits.spaceAfterBreak) return ScalarStyle::doubleQuoted;
  return traits.indicators || traits.breaks || traits.outerBlank ? ScalarStyle::singleQuoted : ScalarStyle::plain;
}

bool canBeBlock(const Traits& traits) {
  return !traits.needsEscapes && !traits.spaceBeforeBreak && !traits.trailingSpace;
}

}  // namespace

bool isLineBreak(char32_t c) { return c == '\n' || c == 0x2028 || c == 0x2029; }

bool isPrintable(char32_t c) {
  if (c < 0x80) return c == '\n' || (c >= 0x20 && c <= 0x7E);
  return c >= 0xA0 && c <= 0xFFFD && c != 0xFEFF;
}

bool hasLineBreak(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    if (isLineBreak(rune.value) || isCarriageReturnOrNel(rune.value)) return true;
    at += rune.width;
  }
  return false;
}

ScalarStyle styleOfKey(std::string_view text, YamlStyle style) {
  return readsAsText(text) ? plainOrQuoted(traitsOf(text, style)) : ScalarStyle::doubleQuoted;
}

ScalarStyle styleOf(std::string_view text, YamlStyle style) {
  if (!text.contains('\n')) return styleOfKey(text, style);
  return canBeBlock(traitsOf(text, style)) ? ScalarStyle::literal : ScalarStyle::doubleQuoted;
}

}  // namespace ingot::json::yaml
