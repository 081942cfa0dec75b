// Making sure that the backend knows the host and can reach its BMC. Runs in every pass, before the state's own work
// (spec/baremetalhost.md §7.5, §8.1).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// nullopt: registered, nothing to wait for; the state may go on.
[[nodiscard]] base::Task<std::optional<Step>> ensureRegistered(Scope& s);

}  // namespace ingot::coordinator::host
