// Durations as Go writes and reads them: "10m0s", "1h30m", "-1.5s".
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::api::conversion {

// nullopt: not a duration, or one beyond what 64 bits of nanoseconds hold.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parseGoDuration(std::string_view text);
[[nodiscard]] std::string goDuration(std::chrono::seconds duration);

}  // namespace ingot::api::conversion
