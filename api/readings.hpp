// The API by which a coordinator shows what agents have read of hosts (coordinator/readings).
#pragma once

#include <string_view>

namespace ingot::api {

inline constexpr std::string_view kReadingsVersion = "readings.ingot.dev/v1alpha1";
inline constexpr std::string_view kReadingsPath = "/apis/readings.ingot.dev/v1alpha1";

// Cause of a 404 that says why an agent does not read it; without one it may be that nobody serves the host.
inline constexpr std::string_view kNotRead = "NotRead";

}  // namespace ingot::api
