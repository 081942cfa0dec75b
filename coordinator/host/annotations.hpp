// Annotations of a host whose value cannot be understood. The host goes on as if they were not there (a reboot is done
// softly); only an unreadable carried status stops it. The user is told the annotation, its value and what would be
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

// The annotation inspect.metal3.io/hardwaredetails, read strictly, so that a typing error in it does not pass
// unnoticed. Empty when there is none; the error says what is wrong with it.
[[nodiscard]] std::expected<std::optional<api::HardwareDetails>, std::string> hardwareDetailsIn(
    const api::BareMetalHost& host);

// Of the status that the host carries (api::awaitsStatus), which cannot be read, or is not taken by the API: shows
// `why` in status.errorMessage while the annotation stands, with an Event.
enum class Refusal { unreadable, byApi };
void refuseCarriedStatus(api::BareMetalHost& host, Journal& journal, Refusal refusal, const std::string& why);

// Of the same, when the host is deleted: it goes without its carried status, and Events tell that nobody has cleaned or
// switched off its machine.
void giveUpCarriedStatus(api::BareMetalHost& host, Journal& journal, const std::string& why);

}  // namespace ingot::coordinator::host
