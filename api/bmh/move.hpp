// How a host is kept from `clusterctl move`, and rests for one (docs/decisions/0032).
#pragma once

#include <string_view>

namespace ingot::api::annotation {

// The value of block-move and of paused that Ingot has set.
inline constexpr std::string_view forMove = "ingot.dev/move";

}  // namespace ingot::api::annotation
