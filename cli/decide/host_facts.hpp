// What several decisions read of a host.
#pragma once

#include "api/bmh/annotations.hpp"
#include "api/bmh/boot_by.hpp"
#include "api/bmh/deployment.hpp"
#include "api/bmh/move.hpp"
#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/capi/cluster.hpp"
#include "api/capm3/names.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace ingot::cli {

// Empty for a text that names no state.
[[nodiscard]] inline std::optional<api::ProvisioningState> stateOf(const api::BareMetalHost& host) {
  return api::parseProvisioningState(host.status.provisioning.state);
}

// The annotation that keeps machines off it; "": none does.
[[nodiscard]] inline std::string_view unhealthyMarkOf(const api::BareMetalHost& host) {
  for (const auto mark : {api::capm3::annotation::unhealthy, api::capm3::annotation::unhealthyOld})
    if (isAnnotated(host, mark)) return mark;
  return "";
}

// Not by a person: the coordinator ends it when a Cluster works.
[[nodiscard]] inline bool restsForMove(const api::Hold& hold, const api::BareMetalHost& host) {
  const std::string* value = findAnnotation(host, hold.annotation);
  return hold.annotation == api::annotation::paused && value != nullptr && *value == api::annotation::forMove;
}

// "paused: nothing happens until annotation … is removed". A host that was moved away, and only its mark keeps from
// being deprovisioned, is no case for that.
[[nodiscard]] inline std::string holdText(const api::Hold& hold, const api::BareMetalHost& host) {
  if (hold.annotation == api::annotation::deleteForMove && host.metadata.beingDeleted())
    return fmt::format(
        "{}, in deletion: if it lives on in another cluster its finalizers have to go; without annotation "
        "{} it is deprovisioned and powered off",
        hold.word, hold.annotation);
  if (restsForMove(hold, host)) return fmt::format("{} with all Clusters of its namespace", hold.word);
  return fmt::format("{}: nothing happens until annotation {} is removed", hold.word, hold.annotation);
}

// Whom a label keeps it for, "md-workers" or "cp-NAME", while no machine has it; "": nobody.
[[nodiscard]] inline std::string keptFor(const api::BareMetalHost& host) {
  const auto& consumer = host.spec.consumerRef;
  const std::string* owner = host.metadata.label(std::string(api::capm3::label::nodeReuse));
  const bool isLeft = !consumer || consumer->kind == api::capi::Cluster::info.kind;
  return owner != nullptr && isLeft ? *owner : "";
}

[[nodiscard]] inline bool hasDeployment(const api::BareMetalHost& host) {
  return (host.spec.image && !host.spec.image->url.empty()) || host.spec.customDeploy;
}

[[nodiscard]] inline bool isInspectionAsked(const api::BareMetalHost& host) {
  const std::string* asked = findAnnotation(host, api::annotation::inspect);
  return asked != nullptr && *asked != "disabled";
}

enum class Booter {
  nobodyAsked,   // the backend, as ever
  agent,         // in place of Ironic
  ironicInstead  // an agent was asked for, which boots live ISOs only
};

// As annotation ingot.dev/boot-by has it.
[[nodiscard]] inline Booter booterOf(const api::BareMetalHost& host) {
  if (!api::asksForBootByAgent(host) || !hasDeployment(host)) return Booter::nobodyAsked;
  const bool isLiveIso = host.spec.image && host.spec.image->isLiveIso() && !host.spec.customDeploy;
  return isLiveIso ? Booter::agent : Booter::ironicInstead;
}

// It runs something that spec does not name any more.
[[nodiscard]] inline bool runsWithdrawn(const api::BareMetalHost& host) {
  return stateOf(host) == api::ProvisioningState::provisioned && isDeploymentWithdrawn(host);
}

}  // namespace ingot::cli
