#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

PoweredHost poweredHost(const api::BareMetalHost& host) {
  return {.namespace_ = host.metadata.namespace_,
          .name = host.metadata.name,
          .uid = host.metadata.uid,
          .bmcAddress = host.spec.bmc.address,
          .automatedCleaningMode = host.spec.automatedCleaningMode,
          .provisionerId = host.status.provisioning.ID,
          .disablePowerOff = host.spec.disablePowerOff,
          .wantedOn = host.spec.online};
}

bool clearError(api::BareMetalHost& host) {
  auto& status = host.status;
  const bool changed = status.operationalStatus != "OK" || !status.errorType.empty() || !status.errorMessage.empty();
  status.operationalStatus = "OK";
  status.errorType.clear();
  status.errorMessage.clear();
  return changed;
}

bool failedWith(const api::BareMetalHost& host, ErrorType type) { return host.status.errorType == text(type); }

Step working(Scope& s, const Result& result) {
  clearError(s.host);
  return Stay{result.requeueAfter};
}

}  // namespace ingot::coordinator::host
