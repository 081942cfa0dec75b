// status.conditions of a host from what is known of it (spec/baremetalhost.md §2.1.2). Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"

namespace ingot::coordinator::host {

// What only the backend can tell.
struct BackendFacts {
  bool powerFailure = false;
  std::string health;  // "" unknown: the last word stays; else OK, Warning, Critical
};

// Manageable, Provisioned, Ready, AvailableForProvisioning, Progressing, Healthy; and PowerStateKnown ends in a state
// in which nobody reads the power. `now` becomes the transition time of a condition whose status changes.
void setConditions(api::BareMetalHost& host, const BackendFacts& facts, base::WallTime now);

// PowerStateKnown: whether poweredOn is a fresh reading; its transition time says since when it is not, its message
// `why`.
void notePowerKnown(api::BareMetalHost& host, bool known, const std::string& why, base::WallTime now);

// Cuts what others have written (Ironic, a BMC) to what the API stores of a text.
void boundTexts(api::BareMetalHost& host);

// PowerStateKnown is True.
[[nodiscard]] bool powerKnown(const api::BareMetalHost& host);

// In this state a power failure of the backend makes the host unmanageable.
[[nodiscard]] bool powerFailureMatters(const api::BareMetalHost& host);

// The last word on this host was such a failure.
[[nodiscard]] bool showsPowerFailure(const api::BareMetalHost& host);

}  // namespace ingot::coordinator::host
