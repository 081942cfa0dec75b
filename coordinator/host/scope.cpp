#include "coordinator/host/scope.hpp"

#include "api/bmh/annotations.hpp"
#include "base/redaction.hpp"

namespace ingot::coordinator::host {

namespace {

bool bearsOnPower(std::string_view annotation) {
  return annotation == api::annotation::reboot || annotation.starts_with(api::annotation::rebootPrefix) ||
         std::ranges::find(api::kHolds, annotation, &api::Hold::annotation) != api::kHolds.end();
}

}  // namespace

PowerWish powerWish(const api::BareMetalHost& host) {
  PowerWish wish{
      .uid = host.metadata.uid, .generation = host.metadata.generation, .beingDeleted = host.metadata.beingDeleted()};
  for (const auto& [name, value] : host.metadata.annotations)
    if (bearsOnPower(name)) wish.annotations.emplace(name, value);
  return wish;
}

PoweredHost poweredHost(const api::BareMetalHost& host) {
  return {.namespace_ = host.metadata.namespace_,
          .name = host.metadata.name,
          .uid = host.metadata.uid,
          .bmcAddress = host.spec.bmc.address,
          .automatedCleaningMode = host.spec.automatedCleaningMode,
          .provisionerId = host.status.provisioning.ID,
          .disablePowerOff = host.spec.disablePowerOff,
          .wantedOn = host.spec.online,
          .wish = powerWish(host)};
}

bool erasesOutOfBand(const Scope& s) { return s.cleaning != nullptr && s.cleaning->isWanted(s.host); }

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
  const std::string& why = work.obstacle.empty() ? work.stall : work.obstacle;
  if (why.empty()) return;
  clearError(s.host);
  s.host.status.errorMessage = discreet(s, why);
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
