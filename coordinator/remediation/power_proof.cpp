#include "coordinator/remediation/power_proof.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
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

bool isLeftAlone(const BareMetalHost& host) { return api::findHold(host, api::kHolds) != nullptr; }

bool carriesSystem(const BareMetalHost& host) {
  const auto state = api::parseProvisioningState(host.status.provisioning.state);
  return state && api::carriesSystem(*state);
}

Off PowerProof::observe(const BareMetalHost& host, base::MonoTime now, std::optional<AgentReading> reading) {
  const PowerSeen seen = powerOf(host);
  const bool isUnseen = host.metadata.uid != uid_ || now - lastAt_ > kMostBetweenLooks;
  const bool saysMore = first_.known.empty() && !seen.known.empty();
  const bool isReadAnew = !first_.on && seen.knownSince != first_.knownSince;
  const bool isReadOn = reading && reading->power == bmc::Power::on;
  if (isUnseen || saysMore || isReadAnew || (isReadOn && !seen.on) || !seen.isRead() || isLeftAlone(host) ||
      !carriesSystem(host))
    begin(host, now);
  lastAt_ = now;
  const bool isReadHere = isReadOff(reading);
  if (seen.on || isReadOn) return Off::no;
  return seen.isRead() && (first_.on || isReadHere || left(now) == base::Duration{}) ? Off::proven : Off::unproven;
}

bool PowerProof::isReadOff(const std::optional<AgentReading>& reading) {
  if (!reading || reading->power != bmc::Power::off || reading->at < firstAt_ + kBetweenReadings) {
    readAt_.reset();
    return false;
  }
  if (!readAt_) readAt_ = reading->at;
  return reading->at >= *readAt_ + kBetweenReadings;
}

void PowerProof::begin(const BareMetalHost& host, base::MonoTime now) {
  uid_ = host.metadata.uid;
  first_ = powerOf(host);
  firstAt_ = lastAt_ = now;
  readAt_.reset();
}

base::Duration PowerProof::left(base::MonoTime now) const {
  return std::max(base::Duration{}, kLongestUnread - (now - firstAt_));
}

}  // namespace ingot::coordinator::remediation
