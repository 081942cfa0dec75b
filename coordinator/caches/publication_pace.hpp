// How long what many objects hold stays as it is shown in the status of one (status.indexes of pools and data
// templates). Each showing costs us, the API and everybody who watches in proportion to all entries, not to the new
// ones: at a fixed pace a list would cost with the square of its length while it grows.
#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ingot::coordinator {

[[nodiscard]] constexpr base::Duration betweenPublications(std::size_t entries) {
  return std::max<base::Duration>(std::chrono::seconds(1),
                                  static_cast<std::int64_t>(entries) * std::chrono::milliseconds(2));
}

}  // namespace ingot::coordinator
