// Durations as people write them, ages as kubectl shows them.
#pragma once

#include "base/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::cli {

// "90s", "10m", "1h30m", "500ms"; nullopt for anything else, a bare number among it.
[[nodiscard]] std::optional<base::Duration> parseDuration(std::string_view text);

// "33s", "2m17s", "14m", "5h3m", "3d2h", "2y14d" (spec/kubernetes-api.md §3.1). The future is "0s".
[[nodiscard]] std::string ageText(base::Duration age);

// "-" when there is no such time.
[[nodiscard]] std::string ageText(const std::optional<base::WallTime>& since, base::WallTime now);

}  // namespace ingot::cli
