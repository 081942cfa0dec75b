// What admission says of an object, of whatever kind.
#pragma once

#include "api/field_errors.hpp"

#include <string>
#include <vector>

namespace ingot::api {

// Upstream answers some kinds with 422, which names fields, and others with 403, which says it in sentences.
struct Verdict {
  FieldErrors fields;
  std::vector<std::string> errors;
  std::vector<std::string> warnings;

  [[nodiscard]] bool allowed() const { return errors.empty() && fields.empty(); }
  // The sentences: one as it is, several different ones as "[e1, e2]", how upstream shows them.
  [[nodiscard]] std::string message() const;
};

}  // namespace ingot::api
