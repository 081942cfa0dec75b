// Who boots a host's image: the backend, or somebody beside its BMC where the host asks for that. Chosen here alone
// (docs/decisions/0038).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// The annotation says so, the image is a live ISO, and it is a choice: a backend without one always has it booted so.
[[nodiscard]] bool bootsOutOfBand(const Scope& s);
// The annotation asks for what nobody can do; text for the user. "": it does not.
[[nodiscard]] std::string whyNotBootedSo(const Scope& s);
// The annotation asks for somebody beside the BMC, and the backend deploys the image all the same; text for the user.
[[nodiscard]] std::string whyBootedByBackend(const Scope& s);

// What the host runs was booted so, or was begun to be: a backend that has forgotten the host is told.
[[nodiscard]] bool mayRunOutOfBand(const Scope& s);

// As LifecycleBackend::provision().
[[nodiscard]] base::Task<Progress> bootOutOfBand(Scope& s, ProvisionData data);
// nullopt: what was booted so is out, or the backend takes it out with its deployment.
[[nodiscard]] base::Task<std::optional<Progress>> ejectOutOfBand(Scope& s);

}  // namespace ingot::coordinator::host
