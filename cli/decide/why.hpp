// Why a host is not further than it is, in sentences that say what would help.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>
#include <vector>

namespace ingot::cli {

// The weightiest first. Empty: nothing is left to do for it.
[[nodiscard]] std::vector<std::string> whyWaiting(const api::BareMetalHost& host, base::WallTime now);

// One line of where it stands: "provisioning, power on; provisioning error: image not found".
[[nodiscard]] std::string standing(const api::BareMetalHost& host, base::WallTime now);
// The same without its error, for where whyWaiting() tells that.
[[nodiscard]] std::string stateAndPower(const api::BareMetalHost& host, base::WallTime now);

}  // namespace ingot::cli
