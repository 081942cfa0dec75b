// One function for each state: it looks at the host, may ask the backend for work, and answers. None of them moves the
// host.
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host::states {

[[nodiscard]] base::Task<Step> unmanaged(Scope& s);  // "" too
[[nodiscard]] base::Task<Step> registering(Scope& s);
[[nodiscard]] base::Task<Step> inspecting(Scope& s);
[[nodiscard]] base::Task<Step> matchProfile(Scope& s);
[[nodiscard]] base::Task<Step> preparing(Scope& s);
[[nodiscard]] base::Task<Step> available(Scope& s);
[[nodiscard]] base::Task<Step> provisioning(Scope& s);
[[nodiscard]] base::Task<Step> provisioned(Scope& s);
[[nodiscard]] base::Task<Step> externallyProvisioned(Scope& s);
[[nodiscard]] base::Task<Step> deprovisioning(Scope& s);
[[nodiscard]] base::Task<Step> poweringOffBeforeDelete(Scope& s);
[[nodiscard]] base::Task<Step> deleting(Scope& s);

// The power-off before the deletion of a host that cannot be registered, done by the agent that serves the host.
// nullopt: no agent does, or the machine may be another host's.
[[nodiscard]] base::Task<std::optional<Step>> switchOffUnregistered(Scope& s);

// Ends a deletion: releases the Secrets, and then removes the finalizer that keeps the object.
[[nodiscard]] base::Task<Step> release(Scope& s);

}  // namespace ingot::coordinator::host::states
