// Words of ipam.metal3.io (spec/ipam.md §6).
#pragma once

#include <string_view>

namespace ingot::api::ipam {

inline constexpr std::string_view kGroup = "ipam.metal3.io";
inline constexpr std::string_view kProviderLabelValue = "ipam-metal3";
inline constexpr std::string_view kRequestedAddress = "ipAddress";  // annotation of a claim of either API

namespace finalizer {
inline constexpr std::string_view pool = "ippool.ipam.metal3.io", claim = "ipclaim.ipam.metal3.io",
                                  address = "ipaddress.ipam.metal3.io", capiClaim = "ipam.metal3.io/ipaddressclaim",
                                  capiAddress = "ipam.metal3.io/ipaddress";
}

}  // namespace ingot::api::ipam
