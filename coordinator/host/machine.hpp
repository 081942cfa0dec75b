// One pass of the state machine: guards in their fixed order, then the state's own function, then the way into the next
// state (spec/baremetalhost.md §7.1). Answers; does not move the host.
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// Throws ProvisionerError for transient failures: nothing of the pass is to be saved then.
[[nodiscard]] base::Task<Step> runMachine(Scope& s);

// The last guard (registration.cpp): makes sure that the backend knows the host and can reach its BMC
// (spec/baremetalhost.md §7.5, §8.1). nullopt: registered, nothing to wait for; the state may go on.
[[nodiscard]] base::Task<std::optional<Step>> ensureRegistered(Scope& s);

}  // namespace ingot::coordinator::host
