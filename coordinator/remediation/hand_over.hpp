// How a machine that could not be remediated is handed to the controller that owns it (spec/capm3.md §18.3). Pure:
// edits of drafts.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/machine.hpp"
#include "base/clock.hpp"

namespace ingot::coordinator::remediation {

// No other machine gets the host until an operator takes the annotation off.
void markUnhealthy(api::BareMetalHost& host);

// OwnerRemediated in both dialects: the owner's controller looks for one or the other [Q25], and replaces the machine.
// One that it has answered already ("MachineDeleting", "CannotBeRemediated") stays.
void askForReplacement(api::capi::Machine& machine, base::WallTime now);

}  // namespace ingot::coordinator::remediation
