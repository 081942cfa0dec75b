// What to write so that the coordinator tries once more, at once. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "json/value.hpp"

#include <string>

namespace ingot::cli {

struct RetryPlan {
  json::Object status;  // merge patch of the status; empty: nothing is counted against the host
  json::Object patch;   // merge patch of the rest
  std::string said;     // what the patches do
};

// Takes the mark "unhealthy" off, sets the counts of failures to 0, and asks for a new attempt.
[[nodiscard]] RetryPlan planRetry(const api::BareMetalHost& host, base::WallTime now);

// Asks for a new attempt by a changed annotation, which ends every back-off. The time is only there to be new.
[[nodiscard]] json::Object retryPatch(base::WallTime now);

}  // namespace ingot::cli
