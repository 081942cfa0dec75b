#include "cloudinit/yaml/utf8.hpp"

#include <cstdint>

namespace ingot::cloudinit::yaml {

namespace {

constexpr Rune kInvalid{.value = 0xFFFD, .width = 1, .valid = false};

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
  if (lead.width == 0 || text.size() - at < lead.width) return kInvalid;
  char32_t value = lead.bits;
  for (std::size_t i = 1; i < lead.width; ++i) {
    const std::uint8_t next = byteAt(text, at + i);
    if ((next & 0xC0U) != 0x80U) return kInvalid;
    value = (value << 6U) | (next & 0x3FU);
  }
  if (value < lead.least || value > 0x10FFFF || isSurrogate(value)) return kInvalid;
  return {.value = value, .width = lead.width};
}

std::string withoutInvalid(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = runeAt(text, at);
    out += rune.valid ? text.substr(at, rune.width) : std::string_view("\xEF\xBF\xBD");
    at += rune.width;
  }
  return out;
}

std::size_t countRunes(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += runeAt(text, at).width) ++count;
  return count;
}

}  // namespace ingot::cloudinit::yaml
