// Whether two hosts may be one machine: a backup that was restored into a second namespace, a manifest that was copied.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host {

// What names the machine: where its BMC answers (host, port unless it is the scheme's own, path of the system), its
// boot MAC address. Hosts that share one of them may be one machine; a BMC that is named once by name and once by IP
// address is not recognised. Pure; nothing of what cannot be read.
[[nodiscard]] std::vector<std::string> machineNames(const api::BareMetalHost& host);

}  // namespace ingot::coordinator::host
