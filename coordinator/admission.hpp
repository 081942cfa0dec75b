// What of our kinds the embedded API is given: their admission, and the conversion between their versions, the same
// that webhooks run.
#pragma once

#include "apiserver/embedded.hpp"

namespace ingot::coordinator {

// For EmbeddedOptions::admission.
[[nodiscard]] apiserver::CrdController::Admission admissionRules(const apiserver::Registry& registry);

// For EmbeddedOptions::converters.
[[nodiscard]] apiserver::KindConverters kindConverters();

}  // namespace ingot::coordinator
