// Keeps a settled host's power as wanted.
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

[[nodiscard]] base::Task<Step> managePower(Scope& s, State state);

// Reads the power and writes what is known of it into the status: poweredOn when known, and the condition
// PowerStateKnown, which says when it is not. Returns the reading.
[[nodiscard]] base::Task<PowerReading> notePower(Scope& s);

}  // namespace ingot::coordinator::host
