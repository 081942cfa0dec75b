// Annotations of a host whose value says nothing that we understand. The host goes on as if they were not there (a
// reboot is done softly), but for a carried status; who wrote them is told which, what stands there and what would be
// right.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "coordinator/host/journal.hpp"

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

// One text for each. Pure.
[[nodiscard]] std::vector<std::string> invalidAnnotations(const api::BareMetalHost& host);

// Shows the first in status.errorMessage, which has no errorType, as long as it stands and nothing else is wrong; then
// Events tell the first of them.
// `shown`: the message as it was before this pass.
void noteInvalidAnnotations(api::BareMetalHost& host, const std::string& shown, Journal& journal);

// inspect.metal3.io/hardwaredetails, read strictly: a typing error in what was written by hand must not be lost.
// Empty when there is none; the error says what is wrong with it.
[[nodiscard]] std::expected<std::optional<api::HardwareDetails>, std::string> hardwareDetailsIn(
    const api::BareMetalHost& host);

// baremetalhost.metal3.io/status of a host that has no status of its own yet.
[[nodiscard]] bool carriesStatus(const api::BareMetalHost& host);
// Shown in status.errorMessage while it stands, with an Event.
void refuseCarriedStatus(api::BareMetalHost& host, Journal& journal, const std::string& why);

}  // namespace ingot::coordinator::host
