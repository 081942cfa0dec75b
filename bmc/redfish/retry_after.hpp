// When a BMC wants to be asked again (spec/bmc.md §2.2).
#pragma once

#include "base/clock.hpp"
#include "net/http.hpp"

#include <optional>

namespace ingot::bmc::redfish {

// Of Retry-After, in seconds or as a date. A date counts from the Date of the same answer: the clock of a BMC may be
// off; without one, from `now`. nullopt: it says nothing, or nothing that can be read. Never negative.
[[nodiscard]] std::optional<base::Duration> retryAfter(const net::HttpResponse& response, base::WallTime now);

}  // namespace ingot::bmc::redfish
