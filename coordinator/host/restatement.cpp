#include "coordinator/host/restatement.hpp"

#include "kube/runtime/conditions.hpp"

#include <algorithm>

namespace ingot::coordinator::host {

namespace {

constexpr base::Duration kLongest = std::chrono::seconds(5);

}  // namespace

bool onlyRestates(const api::BareMetalHostStatus& before, api::BareMetalHostStatus after) {
  if (after == before) return false;
  for (kube::Condition& condition : after.conditions)
    if (const auto* shown = kube::findCondition(before.conditions, condition.type))
      condition.observedGeneration = shown->observedGeneration;
  return after == before;
}

base::Duration Restatements::mayWait(const kube::ObjectKey& host, base::MonoTime now) {
  const base::Duration passed = now - since_.try_emplace(host, now).first->second;
  return std::max(base::Duration::zero(), kLongest - passed);
}

}  // namespace ingot::coordinator::host
