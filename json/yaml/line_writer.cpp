#include "json/yaml/line_writer.hpp"

#include "base/utf8.hpp"

namespace ingot::json::yaml {

namespace {

// The short escapes of YAML; 0 where there is none. Without \N for U+0085, which yaml-cpp reads as a byte that is no
// UTF-8.
char escapeLetter(char32_t c) {
  switch (c) {
    case 0x00: return '0';
    case 0x07: return 'a';
    case 0x08: return 'b';
    case 0x09: return 't';
    case 0x0A: return 'n';
    case 0x0B: return 'v';
    case 0x0C: return 'f';
    case 0x0D: return 'r';
    case 0x1B: return 'e';
    case 0x22: return '"';
    case 0x5C: return '\\';
    case 0xA0: return '_';
    case 0x2028: return 'L';
    case 0x2029: return 'P';
    default: return 0;
  }
}

std::string escapeOf(char32_t c) {
  const auto value = static_cast<std::uint32_t>(c);
  if (const char letter = escapeLetter(c)) return {'\\', letter};
  if (value <= 0xFF) return fmt::format("\\x{:02X}", value);
  if (value <= 0xFFFF) return fmt::format("\\u{:04X}", value);
  return fmt::format("\\U{:08X}", value);
}

// Go's writer looks for a byte order mark at the beginning of the text when it means any character: with one there,
// everything is escaped.
bool escapesEverything(std::string_view text, YamlStyle style) {
  return style == YamlStyle::exact && text.starts_with("\xEF\xBB\xBF");
}

bool needsEscape(char32_t c) { return !isPrintable(c) || isLineBreak(c) || c == '"' || c == '\\'; }

char32_t lastRune(std::string_view text, std::size_t& begin) {
  begin = text.size() - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
  return base::runeAt(text, begin).value;
}

// "-": no break at the end; "+": more than one, or nothing else; "": just one.
std::string_view chompingOf(std::string_view text) {
  std::size_t begin = 0;
  if (!isLineBreak(lastRune(text, begin))) return "-";
  if (begin == 0) return "+";
  const std::string_view before = text.substr(0, begin);
  return isLineBreak(lastRune(before, begin)) ? "+" : "";
}

}  // namespace

void LineWriter::put(std::string_view character) {
  out_ += character;
  ++column_;
}

void LineWriter::lineFeed() {
  out_ += '\n';
  column_ = 0;
}

void LineWriter::space() {
  if (!afterBlank_) put(" ");
}

void LineWriter::startLine() {
  const int wanted = std::max(indent_, 0);
  if (!onlyIndentation_ || column_ > wanted || (column_ == wanted && !afterBlank_)) lineFeed();
  while (column_ < wanted) put(" ");
  afterBlank_ = onlyIndentation_ = true;
}

void LineWriter::marker(std::string_view c) {
  space();
  put(c);
  afterBlank_ = false;
}

void LineWriter::colon() {
  put(":");
  afterBlank_ = onlyIndentation_ = false;
}

void LineWriter::word(std::string_view text) {
  space();
  out_ += text;
  column_ += static_cast<int>(text.size());
  afterBlank_ = onlyIndentation_ = false;
}

void LineWriter::text(std::string_view text, ScalarStyle style, bool folds) {
  const Indent inner(*this, indent_ < 0 ? kStep : indent_ + kStep);
  switch (style) {
    case ScalarStyle::plain: return plain(text, folds);
    case ScalarStyle::singleQuoted: return singleQuoted(text, folds);
    case ScalarStyle::doubleQuoted: return doubleQuoted(text, folds);
    case ScalarStyle::literal: return literal(text);
  }
}

// A single space behind column 80 may become a line break; the first of several may not.
bool LineWriter::mayFold(std::string_view text, std::size_t at, bool afterSpace, bool folds) const {
  return folds && !afterSpace && column_ > kWidth && at > 0 && at + 1 < text.size();
}

void LineWriter::plain(std::string_view text, bool folds) {
  space();
  bool afterSpace = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, base::runeAt(text, at).width);
    const bool isSpace = character == " ";
    if (isSpace && mayFold(text, at, afterSpace, folds) && text[at + 1] != ' ')
      startLine();
    else
      put(character);
    afterSpace = isSpace;
    at += character.size();
    onlyIndentation_ = isSpace && onlyIndentation_;
  }
  afterBlank_ = onlyIndentation_ = false;
}

void LineWriter::textBreak(std::string_view character, char32_t c) {
  if (c == '\n') return lineFeed();
  out_ += character;
  column_ = 0;
}

// Breaks in here are U+2028 and U+2029 only: a line feed makes a block or an escape.
void LineWriter::singleQuoted(std::string_view text, bool folds) {
  marker("'");
  onlyIndentation_ = false;
  bool afterSpace = false, afterBreak = false;
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    const std::string_view character = text.substr(at, rune.width);
    if (rune.value == ' ') {
      if (mayFold(text, at, afterSpace, folds) && text[at + 1] != ' ')
        startLine();
      else
        put(character);
      afterSpace = true;
    } else if (isLineBreak(rune.value)) {
      textBreak(character, rune.value);
      afterBreak = onlyIndentation_ = true;
    } else {
      if (afterBreak) startLine();
      if (rune.value == '\'') put("'");
      put(character);
      afterSpace = afterBreak = onlyIndentation_ = false;
    }
    at += rune.width;
  }
  put("'");
  afterBlank_ = onlyIndentation_ = false;
}

void LineWriter::escaped(char32_t c) {
  const std::string escape = escapeOf(c);
  out_ += escape;
  column_ += static_cast<int>(escape.size());
}

void LineWriter::doubleQuoted(std::string_view text, bool folds) {
  marker("\"");
  onlyIndentation_ = false;
  const bool everything = escapesEverything(text, style_);
  bool afterSpace = false;
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    if (everything || needsEscape(rune.value)) {
      escaped(rune.value);
      afterSpace = false;
    } else if (rune.value == ' ' && mayFold(text, at, afterSpace, folds)) {
      startLine();
      if (text[at + 1] == ' ') put("\\");
      afterSpace = true;
    } else {
      put(text.substr(at, rune.width));
      afterSpace = rune.value == ' ';
    }
    at += rune.width;
  }
  put("\"");
  afterBlank_ = onlyIndentation_ = false;
}

void LineWriter::literalHints(std::string_view text) {
  const char32_t first = base::runeAt(text, 0).value;
  if (first == ' ' || isLineBreak(first)) out_ += static_cast<char>('0' + kStep);
  out_ += chompingOf(text);
}

void LineWriter::literal(std::string_view text) {
  marker("|");
  literalHints(text);
  lineFeed();
  onlyIndentation_ = afterBlank_ = true;
  bool afterBreak = true;
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    const std::string_view character = text.substr(at, rune.width);
    if (isLineBreak(rune.value)) {
      textBreak(character, rune.value);
      afterBreak = onlyIndentation_ = true;
    } else {
      if (afterBreak) startLine();
      put(character);
      afterBreak = onlyIndentation_ = false;
    }
    at += rune.width;
  }
}

std::string LineWriter::finish() {
  startLine();
  return std::move(out_);
}

}  // namespace ingot::json::yaml
