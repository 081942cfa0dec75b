// What has to be done for a claim when its pool is looked at (spec/ipam.md §10).
#pragma once

#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"

#include <cstdint>

namespace ingot::coordinator::ipam {

enum class Duty : std::uint8_t {
  none,       // of another pool, or settled: it has an address, or was refused
  allocate,   // find its address, or give it one
  release,    // it goes away: its address object first, then our finalizer
  stillUsed,  // it goes away, but somebody else's finalizer keeps it
};

// Whether claims that were refused for lack of addresses are looked at again in each pass. Consumers rely on the
// recorded refusal, so that it is upstream's default to leave them alone (§18, hazard 8).
enum class Retry : std::uint8_t { never, forLackOfAddresses };

[[nodiscard]] Duty dutyFor(const api::ipam::IPPool& pool, const api::ipam::IPClaim& claim, Retry retry = Retry::never);
// A claim for another provider's pool of the same name is not ours (§18, hazard 3).
[[nodiscard]] Duty dutyFor(const api::ipam::IPPool& pool, const api::capi_ipam::IPAddressClaim& claim,
                           Retry retry = Retry::never);

}  // namespace ingot::coordinator::ipam
