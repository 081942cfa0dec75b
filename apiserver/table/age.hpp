// How long ago, for people: 33s, 2m17s, 5h3m, 3d2h (spec/kubernetes-api.md §3.1).
#pragma once

#include "base/clock.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

[[nodiscard]] std::string humanDuration(base::Duration d);
// "<invalid>" when `timestamp` is no time, "<unknown>" when it is empty.
[[nodiscard]] std::string ageSince(std::string_view timestamp, base::WallTime now);

}  // namespace ingot::apiserver
