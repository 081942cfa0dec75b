// Admission of BareMetalHosts (spec/baremetalhost.md §4.1–4.2): pure functions, run in process by the embedded API and
// behind the validating webhook. /status is not subject to them.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/verdict.hpp"

namespace ingot::api {

// Every violation is reported, in upstream's order.
[[nodiscard]] Verdict admitCreate(const BareMetalHost& host);
[[nodiscard]] Verdict admitUpdate(const BareMetalHost& before, const BareMetalHost& after);

}  // namespace ingot::api
