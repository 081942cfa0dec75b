// Why an object stays in the version that it has.
#pragma once

#include "json/value.hpp"

namespace ingot::api {

// The object cannot be converted: `what()` names the member, or the annotation, and the problem.
class ConversionError final : public base::Error {
 public:
  using Error::Error;
};

}  // namespace ingot::api
