// What has to be done for a claim (spec/ipam.md §10).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"

#include <cstdint>

namespace ingot::coordinator::ipam {

enum class ClaimAction : std::uint8_t {
  none,       // settled: it has an address, or was refused
  allocate,   // find its address, or give it one
  release,    // it goes away: its address object first, then our finalizer
  stillUsed,  // it goes away, but somebody else's finalizer keeps it
};

// Whether claims that were refused for lack of addresses are looked at again in each pass. Consumers rely on the
// recorded refusal, so that it is upstream's default to leave them alone (§18, hazard 8).
enum class Retry : std::uint8_t { never, forLackOfAddresses };

[[nodiscard]] ClaimAction actionOf(const api::ipam::IPClaim& claim, Retry retry = Retry::never);
[[nodiscard]] ClaimAction actionOf(const api::capi_ipam::IPAddressClaim& claim, Retry retry = Retry::never);

// The pool that a claim asks, or that an address is of: always in its own namespace. nullopt: another provider's pool,
// of the same name or not (§18, hazard 3).
[[nodiscard]] std::optional<kube::ObjectKey> poolOf(const api::ipam::IPClaim& claim);
[[nodiscard]] std::optional<kube::ObjectKey> poolOf(const api::capi_ipam::IPAddressClaim& claim);
[[nodiscard]] std::optional<kube::ObjectKey> poolOf(const api::ipam::IPAddress& address);
[[nodiscard]] std::optional<kube::ObjectKey> poolOf(const api::capi_ipam::IPAddress& address);

// The Cluster that the claim is for, by its spec or its label, whatever Cluster its pool is of.
[[nodiscard]] std::optional<kube::ObjectKey> clusterOf(const api::ipam::IPClaim& claim);
[[nodiscard]] std::optional<kube::ObjectKey> clusterOf(const api::capi_ipam::IPAddressClaim& claim);

// Why no pool will ever serve the claim; "" when one may. One that looks for its pool in another namespace: §18,
// hazard 10.
[[nodiscard]] std::string whyNever(const api::ipam::IPClaim& claim);
[[nodiscard]] std::string whyNever(const api::capi_ipam::IPAddressClaim& claim);

// The claim that an address was made for.
[[nodiscard]] kube::ObjectKey claimOf(const api::ipam::IPAddress& address);
[[nodiscard]] kube::ObjectKey claimOf(const api::capi_ipam::IPAddress& address);

// What this pool has to do for the claim; none when the claim asks another.
[[nodiscard]] ClaimAction actionFor(const api::ipam::IPPool& pool, const api::ipam::IPClaim& claim,
                                    Retry retry = Retry::never);
[[nodiscard]] ClaimAction actionFor(const api::ipam::IPPool& pool, const api::capi_ipam::IPAddressClaim& claim,
                                    Retry retry = Retry::never);

}  // namespace ingot::coordinator::ipam
