// Which vendor a BMC belongs to, by what it says of itself (spec/bmc.md §4).
#pragma once

#include <string>
#include <string_view>

namespace ingot::bmc {

// "Dell Inc." → "dell"; "" when no known vendor's name is in it.
[[nodiscard]] std::string normalizeVendor(std::string_view text);

}  // namespace ingot::bmc
