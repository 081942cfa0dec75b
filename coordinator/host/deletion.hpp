// How a host that is being deleted leaves (spec/baremetalhost.md §7.3).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// Where deletion sends a host that is not on its way out yet; nullopt: the state goes on. Pure.
[[nodiscard]] std::optional<State> deletionTarget(const api::BareMetalHost& host, State state);

// The backend has no node that is the host's.
[[nodiscard]] bool isWithoutNode(const ProvisionerError& error);

// True in the states that only lead a deletion on. What cannot be done in them is given up after some tries.
[[nodiscard]] bool onTheWayOut(State state);

// For how long a deletion insists on a step that is held, before it goes on without it; the steps are named as in
// HeldDeletions. Together the steps leave a held host ten minutes.
[[nodiscard]] base::Duration deletionPatienceFor(State step);

// Where a deletion goes on although a step has failed: a failure that the user has seen often enough is passed over,
// and so is a backend that has no node of the host's when the host cannot be registered again. `step` is null when
// `error` was thrown instead.
[[nodiscard]] std::optional<Goto> giveUp(const api::BareMetalHost& host, bool mayRegister, const Step* step,
                                         const ProvisionerError* error);

}  // namespace ingot::coordinator::host
