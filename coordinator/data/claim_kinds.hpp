// Claims for addresses of both IPAM groups side by side: what differs between them, so that the rest is written once
// (spec/capm3.md §16.2 to §16.4).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "cloudinit/snapshot.hpp"
#include "coordinator/data/pool_references.hpp"
#include "kube/runtime/conditions.hpp"

namespace ingot::coordinator::data {

using api::capi_ipam::IPAddressClaim;
using api::ipam::IPClaim;

template <class Claim>
struct ClaimKind;

template <>
struct ClaimKind<IPClaim> {
  using Address = api::ipam::IPAddress;
  static constexpr bool maybeNamedByHost = true;

  static void ask(IPClaim& claim, const std::string& pool, const PoolKind&) {
    claim.spec.pool = {.namespace_ = claim.metadata.namespace_, .name = pool};
  }
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

  static void ask(IPAddressClaim& claim, const std::string& pool, const PoolKind& kind) {
    claim.spec.poolRef = {.name = pool, .kind = kind.kind, .apiGroup = kind.group};
  }
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

}  // namespace ingot::coordinator::data
