// A power that is only on its way: it counts as where it leads, and proves nothing (spec/bmc.md §6.1).
#pragma once

#include <string_view>

namespace ingot::bmc {

// `raw`: the BMC's own word.
[[nodiscard]] constexpr bool isTransitional(std::string_view raw) {
  return raw == "PoweringOn" || raw == "PoweringOff";
}

}  // namespace ingot::bmc
