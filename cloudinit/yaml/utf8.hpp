// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::cloudinit::yaml {

struct Rune {
  char32_t value = 0;
  std::size_t width = 1;  // in bytes
  bool valid = true;      // a byte that is no UTF-8 reads as U+FFFD, width 1
};

// The character that begins at `at`, which is inside the text.
[[nodiscard]] Rune runeAt(std::string_view text, std::size_t at);

// The text with each byte that is no UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string withoutInvalid(std::string_view text);

[[nodiscard]] std::size_t countRunes(std::string_view text);

}  // namespace ingot::cloudinit::yaml
