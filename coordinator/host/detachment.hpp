// The annotation baremetalhost.metal3.io/detached: the backend forgets the host, and nobody touches its power or disks
// until the annotation goes (spec/baremetalhost.md §7.4). Of its options "force" is not honoured: a host in the middle
// of something is detached when it has come to rest.
#pragma once

#include "coordinator/host/scope.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::host {

struct DetachmentOptions {
  bool delayDeletion = false, force = false;
};

// Of the annotation's value; nullopt: it cannot be read. Pure.
[[nodiscard]] std::optional<DetachmentOptions> readDetachment(const std::string& value);

// The backend has forgotten it. Pure.
[[nodiscard]] bool isDetached(const api::BareMetalHost& host);

// It is detached, or is to be: a deletion only forgets it. Pure.
[[nodiscard]] bool keptOutOfReach(const api::BareMetalHost& host);

// Its deletion waits until it is attached again. Pure.
[[nodiscard]] bool deletionDelayed(const api::BareMetalHost& host);

// Detaches a host at rest whose annotation asks for it, attaches one whose annotation is gone. nullopt: neither is due,
// and the state may go on.
[[nodiscard]] base::Task<std::optional<Step>> reconcileDetachment(Scope& s, State state);

}  // namespace ingot::coordinator::host
