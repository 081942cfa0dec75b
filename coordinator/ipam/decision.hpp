// One claim that needs an address: what becomes of it (spec/ipam.md §12). Pure: the caller creates the object, and
// tells the book when the API server would not have it (PoolBook::release).
#pragma once

#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_claim.hpp"
#include "coordinator/ipam/pool_book.hpp"

namespace ingot::coordinator::ipam {

// There is an address object for the claim already: made by a user, moved here, or left by a pass that was cut off.
struct Adopt {
  std::string name;
};

template <class Object>
struct Create {
  Object object;
};

// What of claim and pool a decision hangs on: others of the same names are others.
struct Basis {
  std::string claimUid, poolUid;
  std::map<std::string, std::string> labels;
  std::string requested;
  std::int64_t poolGeneration = 0;

  friend bool operator==(const Basis&, const Basis&) = default;
};
[[nodiscard]] Basis basisOf(const kube::ObjectMeta& claim, const api::ipam::IPPool& pool);

template <class Object>
using Decision = std::variant<Adopt, Create<Object>, Refused, Taken, NameTaken>;

[[nodiscard]] Decision<api::ipam::IPAddress> decide(PoolBook& book, const api::ipam::IPPool& pool,
                                                    const api::ipam::IPClaim& claim, base::Random& random);
[[nodiscard]] Decision<api::capi_ipam::IPAddress> decide(PoolBook& book, const api::ipam::IPPool& pool,
                                                         const api::capi_ipam::IPAddressClaim& claim,
                                                         base::Random& random);

// It makes the claim an owner of its address object.
[[nodiscard]] kube::OwnerReference claimReference(const api::ipam::IPClaim& claim);
[[nodiscard]] kube::OwnerReference claimReference(const api::capi_ipam::IPAddressClaim& claim);

// Name of the claim's address object; "" when it has none. Asked before the claim is released.
[[nodiscard]] std::string addressObjectOf(const PoolBook& book, const api::ipam::IPPool& pool, const ClaimKey& claim);

}  // namespace ingot::coordinator::ipam
