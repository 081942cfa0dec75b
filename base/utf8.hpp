// UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::base {

struct Rune {
  char32_t value = 0;
  std::size_t width = 1;  // in bytes
  bool valid = true;      // a byte that is no UTF-8 reads as U+FFFD, width 1
};

// The character that begins at `at`, which is inside the text.
[[nodiscard]] Rune runeAt(std::string_view text, std::size_t at);

// Whether bytes are a text: JSON may hold nothing else.
[[nodiscard]] bool isUtf8(std::string_view bytes);

// With U+FFFD for each byte that belongs to no character: what Go's encoder writes and its decoder reads.
[[nodiscard]] std::string toUtf8(std::string_view bytes);

[[nodiscard]] std::size_t countRunes(std::string_view text);

}  // namespace ingot::base
