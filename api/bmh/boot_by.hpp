// Who boots a host's live ISO, beside the names that everybody reads (docs/decisions/0038).
#pragma once

#include "api/bmh/annotations.hpp"

namespace ingot::api {

namespace annotation {
inline constexpr std::string_view bootBy = "ingot.dev/boot-by";
}  // namespace annotation

inline constexpr std::string_view bootByAgent = "agent";

// An agent is asked for, in place of the backend.
[[nodiscard]] inline bool asksForBootByAgent(const BareMetalHost& host) {
  const std::string* by = findAnnotation(host, annotation::bootBy);
  return by != nullptr && *by == bootByAgent;
}

}  // namespace ingot::api
