// How a host that is being deleted leaves (spec/baremetalhost.md §7.3).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// Where deletion sends a host that is not on its way out yet; nullopt: the state goes on. Pure.
[[nodiscard]] std::optional<State> deletionTarget(const api::BareMetalHost& host, State state);

// The backend has no node that is the host's.
[[nodiscard]] bool isWithoutNode(const ProvisionerError& error);

// In a state that only leads a deletion on; what it cannot do is given up after some tries.
[[nodiscard]] bool onTheWayOut(State state);

// For how long a step on the way out is insisted on while it is held; the steps are named as in HeldDeletions. Together
// they leave a host ten minutes.
[[nodiscard]] base::Duration deletionPatienceFor(State step);

// While a host is being deleted, steps on the way out may not hold it for ever: a failure that the user has seen often
// enough, or a backend that has no node of the host's when it cannot be registered again, is passed over.
// `step` is null when `error` was thrown instead.
[[nodiscard]] std::optional<Goto> giveUp(const api::BareMetalHost& host, bool mayRegister, const Step* step,
                                         const ProvisionerError* error);

}  // namespace ingot::coordinator::host
