#include "coordinator/ipam/decision.hpp"

#include "api/ipam/names.hpp"
#include "coordinator/ipam/naming.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::coordinator::ipam {

namespace {

using api::ipam::IPPool;
namespace finalizer = api::ipam::finalizer;

// Both owners keep the object; neither manages it.
kube::OwnerReference plainOwner(const kube::KindInfo& kind, const kube::ObjectMeta& owner) {
  return kube::ownerReferenceTo(kind, owner, false);
}

kube::ObjectMeta metadataFor(const IPPool& pool, const kube::ObjectMeta& claim, const std::string& address,
                             std::string_view finalizer) {
  kube::ObjectMeta out;
  out.name = addressName(pool.spec.namePrefix, address);
  out.namespace_ = pool.metadata.namespace_;
  out.labels = claim.labels;
  out.finalizers = {std::string(finalizer)};
  return out;
}

api::ipam::IPAddress objectFor(const IPPool& pool, const api::ipam::IPClaim& claim, const Grant& grant) {
  api::ipam::IPAddress out;
  out.spec.address = grant.address.text();
  out.spec.prefix = grant.prefix;
  if (!grant.gateway.empty()) out.spec.gateway = grant.gateway;
  out.spec.dnsServers = grant.dnsServers;
  out.spec.pool = {.namespace_ = pool.metadata.namespace_, .name = pool.metadata.name};
  out.spec.claim = {.namespace_ = pool.metadata.namespace_, .name = claim.metadata.name};
  out.metadata = metadataFor(pool, claim.metadata, out.spec.address, finalizer::address);
  out.metadata.ownerReferences = {plainOwner(IPPool::info, pool.metadata), claimReference(claim)};
  return out;
}

// Cluster API's contract asks for a managing claim that blocks its deletion, and a pool that does (spec/ipam.md §18,
// hazard 12).
api::capi_ipam::IPAddress objectFor(const IPPool& pool, const api::capi_ipam::IPAddressClaim& claim,
                                    const Grant& grant) {
  api::capi_ipam::IPAddress out;
  out.spec.address = grant.address.text();
  out.spec.prefix = grant.prefix;
  out.spec.gateway = grant.gateway;
  out.spec.poolRef = {
      .name = pool.metadata.name, .kind = std::string(IPPool::info.kind), .apiGroup = std::string(api::ipam::kGroup)};
  out.spec.claimRef = {.name = claim.metadata.name};
  out.metadata = metadataFor(pool, claim.metadata, out.spec.address, finalizer::capiAddress);
  kube::OwnerReference owner = plainOwner(IPPool::info, pool.metadata);
  owner.blockOwnerDeletion = true;
  out.metadata.ownerReferences = {owner, claimReference(claim)};
  return out;
}

Request requestOf(ClaimKind kind, const kube::ObjectMeta& claim) {
  const std::string* requested = claim.annotation(std::string(api::ipam::kRequestedAddress));
  return {.claim = {.kind = kind, .name = claim.name}, .address = requested ? *requested : ""};
}

template <class Object, class Claim>
Decision<Object> decided(ClaimKind kind, PoolBook& book, const IPPool& pool, const Claim& claim, base::Random& random) {
  const Request request = requestOf(kind, claim.metadata);
  if (const auto* has = book.addressOf(request.claim)) return Adopt{addressName(pool.spec.namePrefix, *has)};
  Answer answer = book.allocate(request, random);
  if (auto* refused = std::get_if<Refused>(&answer)) return std::move(*refused);
  if (const auto* taken = std::get_if<Taken>(&answer)) return *taken;
  if (const auto* taken = std::get_if<NameTaken>(&answer)) return *taken;
  return Create<Object>{objectFor(pool, claim, std::get<Grant>(answer))};
}

}  // namespace

Basis basisOf(const kube::ObjectMeta& claim, const IPPool& pool) {
  return {.claimUid = claim.uid,
          .poolUid = pool.metadata.uid,
          .labels = claim.labels,
          .requested = requestOf({}, claim).address,
          .poolGeneration = pool.metadata.generation};
}

kube::OwnerReference claimReference(const api::ipam::IPClaim& claim) {
  return plainOwner(api::ipam::IPClaim::info, claim.metadata);
}

kube::OwnerReference claimReference(const api::capi_ipam::IPAddressClaim& claim) {
  return kube::ownerReferenceTo(api::capi_ipam::IPAddressClaim::info, claim.metadata, true);
}

Decision<api::ipam::IPAddress> decide(PoolBook& book, const IPPool& pool, const api::ipam::IPClaim& claim,
                                      base::Random& random) {
  return decided<api::ipam::IPAddress>(ClaimKind::metal3, book, pool, claim, random);
}

Decision<api::capi_ipam::IPAddress> decide(PoolBook& book, const IPPool& pool,
                                           const api::capi_ipam::IPAddressClaim& claim, base::Random& random) {
  return decided<api::capi_ipam::IPAddress>(ClaimKind::capi, book, pool, claim, random);
}

std::string addressObjectOf(const PoolBook& book, const IPPool& pool, const ClaimKey& claim) {
  const auto* has = book.addressOf(claim);
  return has ? addressName(pool.spec.namePrefix, *has) : "";
}

}  // namespace ingot::coordinator::ipam
