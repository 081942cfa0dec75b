#include "coordinator/ipam/duty.hpp"

#include "api/ipam/names.hpp"
#include "coordinator/ipam/refusal.hpp"

#include <algorithm>

namespace ingot::coordinator::ipam {

namespace {

Duty dutyOfLeaving(const kube::ObjectMeta& metadata, std::string_view ours) {
  const bool others =
      std::ranges::any_of(metadata.finalizers, [&](const std::string& finalizer) { return finalizer != ours; });
  return others ? Duty::stillUsed : Duty::release;
}

bool isSettled(const std::string& refusal, Retry retry) {
  return retry == Retry::never || !endsWhenAddressesAreFree(refusal);
}

}  // namespace

Duty dutyFor(const api::ipam::IPPool& pool, const api::ipam::IPClaim& claim, Retry retry) {
  const auto& metadata = claim.metadata;
  if (metadata.namespace_ != pool.metadata.namespace_ || claim.spec.pool.name != pool.metadata.name) return Duty::none;
  if (metadata.beingDeleted()) return dutyOfLeaving(metadata, api::ipam::finalizer::claim);
  if (claim.status.address) return Duty::none;
  if (claim.status.errorMessage && isSettled(*claim.status.errorMessage, retry)) return Duty::none;
  return Duty::allocate;
}

Duty dutyFor(const api::ipam::IPPool& pool, const api::capi_ipam::IPAddressClaim& claim, Retry retry) {
  const auto& metadata = claim.metadata;
  const auto& wanted = claim.spec.poolRef;
  if (metadata.namespace_ != pool.metadata.namespace_ || wanted.name != pool.metadata.name) return Duty::none;
  if (wanted.apiGroup != api::ipam::kGroup || wanted.kind != api::ipam::IPPool::info.kind) return Duty::none;
  if (metadata.beingDeleted()) return dutyOfLeaving(metadata, api::ipam::finalizer::capiClaim);
  if (!claim.status.addressRef.name.empty()) return Duty::none;
  if (claim.status.conditions.empty()) return Duty::allocate;
  const kube::Condition& first = claim.status.conditions.front();
  const bool refused = first.reason == "AllocationFailed" || first.reason == "PoolExhausted";
  return refused && isSettled(first.message, retry) ? Duty::none : Duty::allocate;
}

}  // namespace ingot::coordinator::ipam
