#include "coordinator/remediation/surroundings.hpp"

#include "api/capi/pause.hpp"
#include "coordinator/remediation/attempt.hpp"
#include "coordinator/remediation/power_proof.hpp"

#include <tuple>

namespace ingot::coordinator::remediation {

kube::ObjectKey clusterOf(const Machine& machine) { return {machine.metadata.namespace_, machine.spec.clusterName}; }

std::optional<kube::ObjectKey> metalMachineOf(const Machine& machine) {
  const auto& reference = machine.spec.infrastructureRef;
  if (reference.kind != Metal3Machine::info.kind || reference.apiGroup != Metal3Machine::info.group)
    return std::nullopt;
  return kube::ObjectKey{machine.metadata.namespace_, reference.name};
}

bool mattersToRemediation(const Machine& before, const Machine& after) {
  return before.metadata.uid != after.metadata.uid ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp || before.spec != after.spec ||
         before.status.nodeRef != after.status.nodeRef || isHealthy(before) != isHealthy(after);
}

bool mattersToRemediation(const Cluster& before, const Cluster& after) {
  return api::capi::pausedOtherwise(before, after) ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp;
}

bool mattersToRemediation(const Metal3Machine& before, const Metal3Machine& after) {
  return before.metadata.annotations != after.metadata.annotations || before.metadata.labels != after.metadata.labels;
}

bool mattersToRemediation(const api::BareMetalHost& before, const api::BareMetalHost& after) {
  const auto partsOf = [](const api::BareMetalHost& host) {
    return std::tie(host.metadata.annotations, host.metadata.deletionTimestamp, host.spec.online, host.spec.consumerRef,
                    host.status.errorMessage);
  };
  return partsOf(before) != partsOf(after) || powerOf(before) != powerOf(after) ||
         carriesSystem(before) != carriesSystem(after);
}

}  // namespace ingot::coordinator::remediation
