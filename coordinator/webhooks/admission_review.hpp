// Answers to AdmissionReview (admission.k8s.io/v1): the rules and defaults that the embedded API runs in process.
#pragma once

#include "coordinator/admission/judge.hpp"
#include "coordinator/webhooks/paths.hpp"
#include "coordinator/webhooks/review.hpp"

namespace ingot::coordinator::webhooks {

// Pure but for what it asks `others`; nothing is changed anywhere, so a dry run is judged like any other request.
// A refusal carries code, reason, details and causes; a mutation is a JSON patch. A request that is not one for `path`
// is refused with 400. Throws BadRequest for what is no AdmissionReview.
[[nodiscard]] json::Value answer(const json::Value& review, const AdmissionPath& path, const OtherObjects& others);

// The same when the other objects could not be looked at: refused, because nobody knows whether the object is in use.
[[nodiscard]] json::Value refusalOf(const json::Value& review, const std::string& why);

}  // namespace ingot::coordinator::webhooks
