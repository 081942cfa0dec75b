// How long a write whose answer was lost may still be carried out.
#pragma once

#include "base/clock.hpp"

namespace ingot::coordinator {

// A request that was given up may still be on its way for so long.
inline constexpr base::Duration kLostAnswer = std::chrono::seconds(60);

}  // namespace ingot::coordinator
