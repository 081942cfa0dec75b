// How a user asks for a new attempt at an object: a changed annotation, which begins its back-off anew. Pure.
#pragma once

#include "kube/core/object_meta.hpp"

#include <string>
#include <string_view>

namespace ingot::api {

inline constexpr std::string_view kRetryRequested = "ingot.dev/retry-requested";

// The objects are of one key, before and after a change.
[[nodiscard]] inline bool asksForRetry(const kube::ObjectMeta& before, const kube::ObjectMeta& after) {
  const std::string name(kRetryRequested);
  const std::string *was = before.annotation(name), *is = after.annotation(name);
  return is != nullptr && (was == nullptr || *was != *is);
}

}  // namespace ingot::api
