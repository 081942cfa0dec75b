// Where a BMC is on its network: Get LAN Configuration Parameters as `ipmitool raw` (spec/bmc.md §15.8). Of the channel
// that is spoken over, and nothing beside what is asked for: `lan print` fetches an SNMP community, too. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc::ipmi {

[[nodiscard]] std::vector<std::string> askForMac();
[[nodiscard]] std::vector<std::string> askForAddress();

// "" for another form, and where there is none (all zero).
[[nodiscard]] std::string parseMac(std::string_view output);  // lower case
[[nodiscard]] std::string parseIpv4(std::string_view output);

}  // namespace ingot::bmc::ipmi
