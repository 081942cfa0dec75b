// For work that takes long without ever waiting.
#pragma once

#include "base/task.hpp"

namespace ingot::base {

// Goes on in a later turn of the loop: whatever is ready runs before. Throws Cancelled.
[[nodiscard]] Task<void> yieldToLoop();

}  // namespace ingot::base
