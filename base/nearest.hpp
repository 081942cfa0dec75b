// "Did you mean …?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ingot::base {

// The candidate that `word` is most likely a slip of; "" when none is near. Case does not matter.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace ingot::base
