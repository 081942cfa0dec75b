#pragma once

#include <optional>
#include <string>

namespace ingot::cloudinit {

// 24 → 255.255.255.0; nullopt outside 0..32.
[[nodiscard]] std::optional<std::string> netmaskV4(int prefix);
// 64 → ffff:ffff:ffff:ffff::, in the shortest form; nullopt outside 0..128.
[[nodiscard]] std::optional<std::string> netmaskV6(int prefix);

}  // namespace ingot::cloudinit
