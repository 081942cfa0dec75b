#include "cli/words/plain_text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::cli {
namespace {

bool isSpace(char32_t c) {
  constexpr char32_t nextLine = 0x85, lineSeparator = 0x2028, paragraphSeparator = 0x2029;
  return (c >= '\t' && c <= '\r') || c == nextLine || c == lineSeparator || c == paragraphSeparator;
}

struct Range {
  char32_t first, last;
};
constexpr Range harmful[] = {
    {0x00, 0x1f},        // C0 controls
    {0x7f, 0x9f},        // DEL and C1 controls
    {0xad, 0xad},        // soft hyphen
    {0x61c, 0x61c},      // direction: Arabic letter mark
    {0x200b, 0x200f},    // zero widths, left-to-right and right-to-left marks
    {0x202a, 0x202e},    // direction: embeddings and overrides
    {0x2060, 0x206f},    // invisible operators, isolates
    {0xfeff, 0xfeff},    // byte order mark
    {0xe0000, 0xe0fff},  // tags
};

bool isHarmful(char32_t c) {
  return std::ranges::any_of(harmful, [c](const Range& range) { return range.first <= c && c <= range.last; });
}

void append(std::string& out, std::string_view bytes, const base::Rune& rune) {
  if (!rune.valid) {
    out += "\xEF\xBF\xBD";  // U+FFFD
  } else if (isSpace(rune.value)) {
    out += ' ';
  } else if (isHarmful(rune.value)) {
    out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(rune.value));
  } else {
    out += bytes;
  }
}

}  // namespace

std::string plainText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::runeAt(text, at);
    append(out, text.substr(at, rune.width), rune);
    at += rune.width;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string plainCell(std::string_view text) {
  std::string out = plainText(text);
  const auto again = std::ranges::unique(out, [](char a, char b) { return a == ' ' && b == ' '; });
  out.erase(again.begin(), again.end());
  return out;
}

}  // namespace ingot::cli
