// A time of a fleet by its seed, and what it has broken.
#pragma once

#include "tests/coordinator/fleet_seeds/mischief.hpp"

namespace ingot::tests {

using Met = std::map<std::string, int>;  // what happened, and what was judged, how often

[[nodiscard]] std::vector<std::string> liveFor(std::uint64_t seed, std::size_t machines, base::Duration time, Met& met);

}  // namespace ingot::tests
