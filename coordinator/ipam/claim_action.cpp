#include "coordinator/ipam/claim_action.hpp"

#include "api/capm3/names.hpp"
#include "api/ipam/names.hpp"
#include "coordinator/ipam/refusal.hpp"
#include "kube/runtime/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::ipam {

namespace {

ClaimAction actionOfLeaving(const kube::ObjectMeta& metadata, std::string_view ours) {
  const bool others =
      std::ranges::any_of(metadata.finalizers, [&](const std::string& finalizer) { return finalizer != ours; });
  return others ? ClaimAction::stillUsed : ClaimAction::release;
}

bool isSettled(const std::string& refusal, Retry retry) {
  return retry == Retry::never || !endsWhenAddressesAreFree(refusal);
}

std::optional<kube::ObjectKey> ourPool(const std::string& namespace_, const api::capi_ipam::PoolReference& pool) {
  if (pool.apiGroup != api::ipam::kGroup || pool.kind != api::ipam::IPPool::info.kind) return std::nullopt;
  return kube::ObjectKey{namespace_, pool.name};
}

std::optional<kube::ObjectKey> labelledCluster(const kube::ObjectMeta& claim) {
  const std::string* name = claim.label(std::string(api::capm3::label::clusterName));
  return name == nullptr ? std::nullopt : std::optional(kube::ObjectKey{claim.namespace_, *name});
}

}  // namespace

std::optional<kube::ObjectKey> poolOf(const api::ipam::IPClaim& claim) {
  return kube::ObjectKey{claim.metadata.namespace_, claim.spec.pool.name};
}
std::optional<kube::ObjectKey> poolOf(const api::capi_ipam::IPAddressClaim& claim) {
  return ourPool(claim.metadata.namespace_, claim.spec.poolRef);
}
std::optional<kube::ObjectKey> poolOf(const api::ipam::IPAddress& address) {
  return kube::ObjectKey{address.metadata.namespace_, address.spec.pool.name};
}
std::optional<kube::ObjectKey> poolOf(const api::capi_ipam::IPAddress& address) {
  return ourPool(address.metadata.namespace_, address.spec.poolRef);
}

std::optional<kube::ObjectKey> clusterOf(const api::ipam::IPClaim& claim) { return labelledCluster(claim.metadata); }
std::optional<kube::ObjectKey> clusterOf(const api::capi_ipam::IPAddressClaim& claim) {
  if (claim.spec.clusterName.empty()) return labelledCluster(claim.metadata);
  return kube::ObjectKey{claim.metadata.namespace_, claim.spec.clusterName};
}

std::string whyNever(const api::ipam::IPClaim& claim) {
  const std::string& wanted = claim.spec.pool.namespace_;
  if (wanted.empty() || wanted == claim.metadata.namespace_) return "";
  return fmt::format("its pool is in namespace {}, and a pool serves claims of its own only", wanted);
}
std::string whyNever(const api::capi_ipam::IPAddressClaim& /*claim*/) { return ""; }  // it cannot name a namespace

kube::ObjectKey claimOf(const api::ipam::IPAddress& address) {
  return {address.metadata.namespace_, address.spec.claim.name};
}
kube::ObjectKey claimOf(const api::capi_ipam::IPAddress& address) {
  return {address.metadata.namespace_, address.spec.claimRef.name};
}

ClaimAction actionOf(const api::ipam::IPClaim& claim, Retry retry) {
  if (claim.metadata.beingDeleted()) return actionOfLeaving(claim.metadata, api::ipam::finalizer::claim);
  if (claim.status.address) return ClaimAction::none;
  if (claim.status.errorMessage && isSettled(*claim.status.errorMessage, retry)) return ClaimAction::none;
  return ClaimAction::allocate;
}

ClaimAction actionOf(const api::capi_ipam::IPAddressClaim& claim, Retry retry) {
  if (claim.metadata.beingDeleted()) return actionOfLeaving(claim.metadata, api::ipam::finalizer::capiClaim);
  if (!claim.status.addressRef.name.empty()) return ClaimAction::none;
  if (claim.status.conditions.empty()) return ClaimAction::allocate;
  const kube::Condition* told = kube::findCondition(claim.status.conditions, "Ready");
  if (told == nullptr) told = &claim.status.conditions.front();  // where upstream looks
  const bool refused = told->reason == "AllocationFailed" || told->reason == "PoolExhausted";
  return refused && isSettled(told->message, retry) ? ClaimAction::none : ClaimAction::allocate;
}

ClaimAction actionFor(const api::ipam::IPPool& pool, const api::ipam::IPClaim& claim, Retry retry) {
  return poolOf(claim) == pool.metadata.key() ? actionOf(claim, retry) : ClaimAction::none;
}

ClaimAction actionFor(const api::ipam::IPPool& pool, const api::capi_ipam::IPAddressClaim& claim, Retry retry) {
  return poolOf(claim) == pool.metadata.key() ? actionOf(claim, retry) : ClaimAction::none;
}

}  // namespace ingot::coordinator::ipam
