// What a host that is being deleted does not wait for any longer. Its ways out (deletion.hpp) end where a failure is
// counted often enough; here they end where nothing is counted: Ironic or the BMC refuses on the spot, or never comes
// to an end with what it was asked for. Work that runs (a cleaning) is waited for, and so is a backend that cannot be
// asked at all: it may still hold the host, credentials included.
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// What one try came to: `failure` was thrown, else there is a step (which a guard may leave open).
struct Try {
  std::optional<Step> step = std::nullopt;
  std::optional<ProvisionerError> failure = std::nullopt;
};

// Its deletion has begun, and it is in one of the states that lead it on.
[[nodiscard]] bool isLeaving(const api::BareMetalHost& host);

// Tells what a deletion leaves undone: the steps from `state` on that come before `next`.
void tellSkipped(Journal& journal, State state, State next, const std::string& why);
void tellGivenUp(Scope& s, State state, State next, const std::string& why);

// The pass of a host that leaves, or what comes after its state once that was held for too long.
[[nodiscard]] base::Task<Step> withinPatience(Scope& s, State state, Try tried);

// The same of its registration. Neither step nor failure: the rest of the way is gone, `unregistered` when without it.
struct Registration {
  Try tried;
  bool unregistered = false;
};
[[nodiscard]] Registration registrationWithinPatience(Scope& s, Try tried);

}  // namespace ingot::coordinator::host
