// Whether an address lies in the ranges of a pool, as admission sees it (spec/ipam.md §7.3).
#pragma once

#include "api/ipam/ip_pool.hpp"

namespace ingot::api::ipam::rules {

// Bounds compare the families first: an IPv4 address written as IPv6 counts as IPv6 there. Network and broadcast
// addresses of a subnet are in bounds, though a subnet alone never gives out its own address.
[[nodiscard]] bool isInBounds(const std::vector<Range>& ranges, const std::string& address);

}  // namespace ingot::api::ipam::rules
