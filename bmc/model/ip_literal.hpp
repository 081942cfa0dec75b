// IP addresses written as text.
#pragma once

#include <string_view>

namespace ingot::bmc {

[[nodiscard]] bool isIpv4(std::string_view text);
[[nodiscard]] bool isIpv6(std::string_view text);  // without brackets and zone

}  // namespace ingot::bmc
