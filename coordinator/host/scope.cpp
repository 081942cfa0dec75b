#include "coordinator/host/scope.hpp"

#include "base/redaction.hpp"

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

std::string discreet(const Scope& s, const std::string& text) {
  return base::redacted(text, s.access ? s.access->credentials.password : base::Secret());
}

void showObstacle(Scope& s, const Working& work) {
  if (work.obstacle.empty()) return;
  clearError(s.host);
  s.host.status.errorMessage = discreet(s, work.obstacle);
}

Step working(Scope& s, const Working& work) {
  clearError(s.host);
  showObstacle(s, work);
  return Stay{work.after, work.obstacle};
}

std::optional<Step> unfinished(Scope& s, ErrorType type, const Progress& progress) {
  if (const auto* refused = std::get_if<Refused>(&progress)) return Fail{type, refused->message, refused->retryAfter};
  if (const auto* work = std::get_if<Working>(&progress)) return working(s, *work);
  return std::nullopt;
}

}  // namespace ingot::coordinator::host
