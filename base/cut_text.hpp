// A text of somebody else's in bounded room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::base {

// The beginning of `text`, at most so many bytes and whole characters, as UTF-8: what is none reads as U+FFFD.
[[nodiscard]] std::string cutText(std::string_view text, std::size_t mostBytes);

}  // namespace ingot::base
