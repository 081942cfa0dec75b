#include "base/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace ingot::base {

namespace {

constexpr Rune invalid{.value = 0xFFFD, .width = 1, .valid = false};

std::uint8_t byteAt(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

// What a first byte announces: how many bytes, its share of the value, the least value that needs so many.
struct Lead {
  std::size_t width;
  char32_t bits, least;
};

Lead leadOf(std::uint8_t first) {
  if ((first & 0xE0U) == 0xC0U) return {2, first & 0x1FU, 0x80};
  if ((first & 0xF0U) == 0xE0U) return {3, first & 0x0FU, 0x800};
  if ((first & 0xF8U) == 0xF0U) return {4, first & 0x07U, 0x10000};
  return {0, 0, 0};
}

bool isSurrogate(char32_t value) { return value >= 0xD800 && value <= 0xDFFF; }

}  // namespace

Rune runeAt(std::string_view text, std::size_t at) {
  const std::uint8_t first = byteAt(text, at);
  if (first < 0x80) return {.value = first};
  const Lead lead = leadOf(first);
  if (lead.width == 0 || text.size() - at < lead.width) return invalid;
  char32_t value = lead.bits;
  for (std::size_t i = 1; i < lead.width; ++i) {
    const std::uint8_t next = byteAt(text, at + i);
    if ((next & 0xC0U) != 0x80U) return invalid;
    value = (value << 6U) | (next & 0x3FU);
  }
  if (value < lead.least || value > 0x10FFFF || isSurrogate(value)) return invalid;
  return {.value = value, .width = lead.width};
}

namespace {

// Bytes at the beginning of `text` that are ASCII, in whole words: most texts are nothing else.
std::size_t plainPrefix(std::string_view text) {
  constexpr std::uint64_t highBits = 0x8080808080808080;
  std::size_t length = 0;
  for (std::uint64_t word = 0; length + sizeof word <= text.size(); length += sizeof word) {
    std::memcpy(&word, text.data() + length, sizeof word);
    if ((word & highBits) != 0) break;
  }
  return length;
}

// Bytes at the beginning of `text` that are characters.
std::size_t goodPrefix(std::string_view text) {
  std::size_t good = 0;
  while (good < text.size()) {
    good += plainPrefix(text.substr(good));
    if (good == text.size()) break;
    const Rune rune = runeAt(text, good);
    if (!rune.valid) break;
    good += rune.width;
  }
  return good;
}

}  // namespace

bool isUtf8(std::string_view bytes) { return goodPrefix(bytes) == bytes.size(); }

std::string toUtf8(std::string_view bytes) {
  std::string out;
  while (true) {
    const std::size_t good = goodPrefix(bytes);
    out += bytes.substr(0, good);
    if (good == bytes.size()) return out;
    out += "\xef\xbf\xbd";
    bytes.remove_prefix(good + 1);
  }
}

std::size_t countRunes(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += runeAt(text, at).width) ++count;
  return count;
}

}  // namespace ingot::base
