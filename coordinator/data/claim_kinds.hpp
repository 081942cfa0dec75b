// Claims for addresses of both IPAM groups side by side: what differs between them, so that the rest is written once
// (spec/capm3.md §16.2 to §16.4).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/capm3/names.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/names.hpp"
#include "cloudinit/snapshot.hpp"
#include "coordinator/data/pool_references.hpp"
#include "coordinator/data/references.hpp"
#include "kube/runtime/conditions.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::data {

using api::capi_ipam::IPAddressClaim;
using api::ipam::IPClaim;

template <class Claim>
struct ClaimKind;

template <>
struct ClaimKind<IPClaim> {
  using Address = api::ipam::IPAddress;
  static constexpr bool maybeNamedByHost = true;
  // The address stays the claim's as long as our finalizer holds it in its deletion.
  static constexpr bool keepsAddress = true;

  static void ask(IPClaim& claim, const std::string& pool, const PoolKind&) {
    claim.spec.pool = {.namespace_ = claim.metadata.namespace_, .name = pool};
  }
  static const std::string& poolName(const IPClaim& claim) { return claim.spec.pool.name; }
  static std::string addressName(const IPClaim& claim) {
    return claim.status.address ? claim.status.address->name : "";
  }
  static std::string refusal(const IPClaim& claim) { return claim.status.errorMessage.value_or(""); }
  static std::string claimNameIn(const Address& address) { return address.spec.claim.name; }
  static cloudinit::PoolAddress resultOf(const Address& address) {
    return {.address = address.spec.address,
            .prefix = address.spec.prefix,
            .gateway = address.spec.gateway.value_or(""),
            .dnsServers = address.spec.dnsServers};
  }
};

template <>
struct ClaimKind<IPAddressClaim> {
  using Address = api::capi_ipam::IPAddress;
  static constexpr bool maybeNamedByHost = false;
  static constexpr bool keepsAddress = false;  // other providers take it back at once

  static void ask(IPAddressClaim& claim, const std::string& pool, const PoolKind& kind) {
    claim.spec.poolRef = {.name = pool, .kind = kind.kind, .apiGroup = kind.group};
  }
  static const std::string& poolName(const IPAddressClaim& claim) { return claim.spec.poolRef.name; }
  static std::string addressName(const IPAddressClaim& claim) { return claim.status.addressRef.name; }
  // By condition Ready, as Cluster API's contract for IPAM providers has it.
  static std::string refusal(const IPAddressClaim& claim) {
    const auto* ready = kube::findCondition(claim.status.conditions, "Ready");
    if (ready == nullptr || ready->status != "False" || !claim.status.addressRef.name.empty()) return "";
    return ready->message.empty() ? ready->reason : ready->message;
  }
  static std::string claimNameIn(const Address& address) { return address.spec.claimRef.name; }
  static cloudinit::PoolAddress resultOf(const Address& address) {
    return {.address = address.spec.address, .prefix = address.spec.prefix, .gateway = address.spec.gateway};
  }
};

// After whom the claim is called, if it is one of ours: data, or a host. "": after nobody.
template <class Claim>
[[nodiscard]] std::string namesakeOf(const Claim& claim) {
  const std::string suffix = "-" + ClaimKind<Claim>::poolName(claim);
  const std::string& name = claim.metadata.name;
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : "";
}

// The data of a claim that we made and that somebody took the owner of: by the label or by the name that we gave it.
template <class Claim>
[[nodiscard]] std::vector<kube::ObjectKey> formerOwners(const Claim& claim) {
  const kube::ObjectMeta& metadata = claim.metadata;
  const bool isOurs = kube::hasFinalizer(metadata, api::capm3::finalizer::data);
  if (!isOurs || cluster::ownerOfKind(metadata, Metal3Data::info) != nullptr) return {};
  if (const std::string* data = metadata.label(std::string(api::capm3::label::dataName)))
    return {{metadata.namespace_, *data}};
  const std::string namesake = namesakeOf(claim);
  return namesake.empty() ? std::vector<kube::ObjectKey>{}
                          : std::vector{kube::ObjectKey{metadata.namespace_, namesake}};
}

// Whether the address was made for this very claim: some providers name it by the claim, and what the cache shows may
// be that of an earlier claim of the name. One without such an owner counts by the name in it. In deletion it stays its
// claim's as long as our address management holds it.
template <class Claim>
[[nodiscard]] bool isAddressOf(const typename ClaimKind<Claim>::Address& address, const Claim& claim) {
  const bool isNamed = ClaimKind<Claim>::claimNameIn(address) == claim.metadata.name;
  if (!isNamed) return false;
  if (address.metadata.beingDeleted())
    return kube::hasFinalizer(address.metadata, api::ipam::finalizer::address) &&
           address.metadata.ownedBy(claim.metadata.uid);
  return cluster::ownerOfKind(address.metadata, Claim::info) == nullptr || address.metadata.ownedBy(claim.metadata.uid);
}

}  // namespace ingot::coordinator::data
