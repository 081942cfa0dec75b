// Whether the API allows somebody something (authorization.k8s.io/v1).
#pragma once

#include "kube/client/api.hpp"

#include <cstdint>

namespace ingot::kube {

enum class Whose : std::uint8_t {
  own,      // SelfSubjectAccessReview: of this client's account
  subject,  // SubjectAccessReview: of user and groups in `spec`
};

// `spec` is the review's. Throws Error where nobody may ask, or nobody answers.
[[nodiscard]] base::Task<bool> isAllowed(Api& api, Whose whose, json::Object spec);

}  // namespace ingot::kube
