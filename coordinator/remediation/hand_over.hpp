// How a machine that could not be remediated is handed to the controller that owns it (spec/capm3.md §18.3). Pure:
// edits of drafts.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/machine.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "base/clock.hpp"

#include <optional>

namespace ingot::coordinator::remediation {

using api::capm3::v1beta2::Metal3Remediation;

// No other machine gets the host until an operator takes the annotation off. Whose mark is there already stays.
void markUnhealthy(api::BareMetalHost& host);
[[nodiscard]] bool isMarkedUnhealthy(const api::BareMetalHost& host);  // by whomever, with whatever value
void unmark(api::BareMetalHost& host);                                 // if the value is that of markUnhealthy()

// The remediation remembers which host it marks, one of its own namespace, until its machine is handed over.
void recordMark(Metal3Remediation& remediation, const api::BareMetalHost& host);
[[nodiscard]] std::optional<kube::ObjectKey> recordedMark(const Metal3Remediation& remediation);
void dropMark(Metal3Remediation& remediation);

// OwnerRemediated in both dialects: the owner's controller looks for one or the other [Q25], and replaces the machine.
// One that it has answered already ("MachineDeleting", "CannotBeRemediated") stays.
void askForReplacement(api::capi::Machine& machine, base::WallTime now);
[[nodiscard]] bool isAskedToGo(const api::capi::Machine& machine);

}  // namespace ingot::coordinator::remediation
