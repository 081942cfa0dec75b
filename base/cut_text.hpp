// Cuts a text from outside to a bounded size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::base {

// The beginning of `text` as UTF-8: at most `mostBytes` bytes, and whole characters only. Bytes that are no UTF-8 read
// as U+FFFD.
[[nodiscard]] std::string cutText(std::string_view text, std::size_t mostBytes);

// The same as one line: a space for each control character.
[[nodiscard]] std::string oneLine(std::string text, std::size_t mostBytes);

}  // namespace ingot::base
