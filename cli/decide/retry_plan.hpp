// What to write so that the coordinator tries once more, at once. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "cli/decide/machine_progress.hpp"
#include "json/value.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::cli {

struct RetryPlan {
  std::string refusal;  // not empty: nothing is written
  json::Object status;  // merge patch of the status; empty: nothing is counted against the host
  json::Object patch;   // merge patch of the rest
  std::string said;     // what all of this does
  // A Metal3Remediation that has failed for good, to be deleted: its MachineHealthCheck makes another.
  std::optional<kube::ObjectMeta> remediation;
  std::vector<std::string> notes;  // what keeps the attempt from being made
};

// Takes the mark "unhealthy" off, sets the counts of failures to 0, and asks for a new attempt.
[[nodiscard]] RetryPlan planRetry(const api::BareMetalHost& host, base::WallTime now);

// Asks for a new attempt, and ends a remediation that has failed; its host is not part of the plan. Refused where the
// annotation names a host of somebody else: who wrote it may have no right to that host.
[[nodiscard]] RetryPlan planRetry(const MachinePicture& picture, base::WallTime now);

}  // namespace ingot::cli
