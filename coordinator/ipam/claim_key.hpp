// Both kinds of claims of a pool. The same name in both is two claims (spec/ipam.md §18, hazard 1).
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace ingot::coordinator::ipam {

enum class ClaimKind : std::uint8_t { metal3, capi };  // IPClaim of ipam.metal3.io, IPAddressClaim of Cluster API

struct ClaimKey {
  ClaimKind kind = ClaimKind::metal3;
  std::string name;

  friend auto operator<=>(const ClaimKey&, const ClaimKey&) = default;
};

// What a claim asks of its pool.
struct Request {
  ClaimKey claim;
  std::string address;  // annotation ipAddress; "": any
};

}  // namespace ingot::coordinator::ipam
