#include "coordinator/remediation/power_proof.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "kube/runtime/conditions.hpp"

#include <algorithm>

namespace ingot::coordinator::remediation {

PowerSeen powerOf(const BareMetalHost& host) {
  PowerSeen seen{.on = host.status.poweredOn, .known = {}, .knownSince = std::nullopt};
  if (const auto* known = kube::findCondition(host.status.conditions, "PowerStateKnown")) {
    seen.known = known->status;
    seen.knownSince = known->lastTransitionTime;
  }
  return seen;
}

bool isOn(const BareMetalHost& host) {
  const PowerSeen seen = powerOf(host);
  return seen.on && seen.isRead();
}

Off PowerProof::of(const BareMetalHost& host, base::MonoTime now) const {
  const PowerSeen seen = powerOf(host);
  if (seen.on) return Off::no;
  const bool isLeftAlone =
      api::isAnnotated(host, api::annotation::paused) || api::isAnnotated(host, api::annotation::detached);
  if (!seen.isRead() || isLeftAlone) return Off::unproven;
  return seen != first_ || left(now) == base::Duration{} ? Off::proven : Off::unproven;
}

base::Duration PowerProof::left(base::MonoTime now) const {
  return std::max(base::Duration{}, kLongestUnread - (now - firstAt_));
}

}  // namespace ingot::coordinator::remediation
