// Tells the backend that a host already carries its deployment, after the backend has lost its memory.
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// nullopt: the backend knows the deployment.
[[nodiscard]] base::Task<std::optional<Step>> ensureAdopted(Scope& s);

}  // namespace ingot::coordinator::host
