// Milliseconds that somebody else names, as a duration of ours.
#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <cstdint>

namespace ingot::base {

// A century at most, either way: any sum with a time of ours is one still.
[[nodiscard]] constexpr Duration fromMilliseconds(std::int64_t ms) {
  constexpr std::int64_t century =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::years(100)).count();
  return std::chrono::milliseconds(std::clamp(ms, -century, century));
}

}  // namespace ingot::base
