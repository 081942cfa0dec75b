// Both kinds of claims side by side: what differs between them, so that the rest is written once.
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/ipam/names.hpp"
#include "base/clock.hpp"
#include "coordinator/caches/lost_answer.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/claim_key.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::ipam {

template <class Claim>
struct KindOf;

template <>
struct KindOf<api::ipam::IPClaim> {
  using Address = api::ipam::IPAddress;
  static constexpr ClaimKind kind = ClaimKind::metal3;
  static constexpr std::string_view claimFinalizer = api::ipam::finalizer::claim;
  static constexpr std::string_view addressFinalizer = api::ipam::finalizer::address;

  // "": none.
  static std::string addressName(const api::ipam::IPClaim& claim) {
    return claim.status.address ? claim.status.address->name : "";
  }
};

template <>
struct KindOf<api::capi_ipam::IPAddressClaim> {
  using Address = api::capi_ipam::IPAddress;
  static constexpr ClaimKind kind = ClaimKind::capi;
  static constexpr std::string_view claimFinalizer = api::ipam::finalizer::capiClaim;
  static constexpr std::string_view addressFinalizer = api::ipam::finalizer::capiAddress;

  static std::string addressName(const api::capi_ipam::IPAddressClaim& claim) { return claim.status.addressRef.name; }
};

// We made the address object for a claim of this pool: what a user made bears none of our marks.
template <class Claim>
[[nodiscard]] bool isMadeFor(const typename KindOf<Claim>::Address& address, const api::ipam::IPPool& pool) {
  return address.metadata.ownedBy(pool.metadata.uid) &&
         kube::hasFinalizer(address.metadata, KindOf<Claim>::addressFinalizer);
}

// It was made for a claim of this name that is gone. One that names no claim as its owner is anybody's of the name.
template <class Claim>
[[nodiscard]] bool isOfEarlier(const typename KindOf<Claim>::Address& address, const Claim& claim) {
  return cluster::ownerOfKind(address.metadata, Claim::info) != nullptr &&
         !address.metadata.ownedBy(claim.metadata.uid);
}

// The claim has the address object. In deletion that stays its claim's as long as our finalizer holds it.
template <class Claim>
[[nodiscard]] bool isOf(const typename KindOf<Claim>::Address& address, const Claim& claim,
                        const api::ipam::IPPool& pool) {
  const kube::ObjectMeta& metadata = address.metadata;
  const bool isHeld =
      kube::hasFinalizer(metadata, KindOf<Claim>::addressFinalizer) && metadata.ownedBy(claim.metadata.uid);
  return (!metadata.beingDeleted() || isHeld) && claimOf(address) == claim.metadata.key() &&
         poolOf(address) == pool.metadata.key();
}

}  // namespace ingot::coordinator::ipam
