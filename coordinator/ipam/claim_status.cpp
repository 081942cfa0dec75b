#include "coordinator/ipam/claim_status.hpp"

#include "api/ipam/names.hpp"
#include "kube/runtime/conditions.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::ipam {

namespace {

constexpr std::string_view kWaiting = "WaitingForAddress";

api::capi_ipam::IPAddressClaim withoutWait(api::capi_ipam::IPAddressClaim claim) {
  claim.metadata.resourceVersion.clear();
  for (auto& condition : claim.status.conditions)
    if (condition.reason == kWaiting) condition.message.clear();
  return claim;
}

// The only condition; its time stays when only words change.
void setReady(api::capi_ipam::IPAddressClaim& claim, kube::Condition ready, base::WallTime now) {
  auto& all = claim.status.conditions;
  std::erase_if(all, [](const kube::Condition& condition) { return condition.type != "Ready"; });
  kube::setCondition(all, std::move(ready), now);
}

}  // namespace

void begin(api::ipam::IPClaim& claim) {
  kube::addFinalizer(claim.metadata, api::ipam::finalizer::claim);
  claim.status.errorMessage.reset();
}

void begin(api::capi_ipam::IPAddressClaim& claim) {
  kube::addFinalizer(claim.metadata, api::ipam::finalizer::capiClaim);
}

void tellAddress(api::ipam::IPClaim& claim, const std::string& name) {
  claim.status.address = kube::ObjectReference{.namespace_ = claim.metadata.namespace_, .name = name};
}

void tellAddress(api::capi_ipam::IPAddressClaim& claim, const std::string& name) {
  claim.status.addressRef.name = name;
}

void tellReady(api::capi_ipam::IPAddressClaim& claim, base::WallTime now) {
  setReady(claim, {.type = "Ready", .status = "True", .reason = "Ready"}, now);
}

bool isToldNotReady(const api::capi_ipam::IPAddressClaim& claim) {
  const kube::Condition* ready = kube::findCondition(claim.status.conditions, "Ready");
  return ready != nullptr && ready->status == "False";
}

bool isToldWaiting(const api::capi_ipam::IPAddressClaim& claim) {
  const kube::Condition* ready = kube::findCondition(claim.status.conditions, "Ready");
  return ready != nullptr && ready->reason == kWaiting;
}

void tellWaiting(api::capi_ipam::IPAddressClaim& claim, const std::string& why, base::WallTime now) {
  setReady(claim, {.type = "Ready", .status = "False", .reason = std::string(kWaiting), .message = why}, now);
}

bool mattersToClaim(const api::ipam::IPClaim&, const api::ipam::IPClaim&) { return true; }

bool mattersToClaim(const api::capi_ipam::IPAddressClaim& before, const api::capi_ipam::IPAddressClaim& after) {
  return withoutWait(before) != withoutWait(after);
}

void tellRefusal(api::ipam::IPClaim& claim, const Refused& refused, base::WallTime) {
  claim.status.errorMessage = refused.message();
}

void tellRefusal(api::capi_ipam::IPAddressClaim& claim, const Refused& refused, base::WallTime now) {
  setReady(claim,
           {.type = "Ready", .status = "False", .reason = std::string(refused.reason()), .message = refused.message()},
           now);
}

}  // namespace ingot::coordinator::ipam
