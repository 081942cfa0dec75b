// Everything that the Redfish driver reads, taken of a mockup: each fact, or that there is none.
#pragma once

#include "tests/mockups/mockup.hpp"

#include <string>
#include <vector>

namespace ingot::tests {

struct Survey {
  std::string text;  // a line each: "processors.model: …", "processors.model: absent"
  std::vector<std::string>
      faults;  // what should not be: an exception that is no Error, a resource that is there and was not read
};

[[nodiscard]] Survey surveyOf(Mockup& mockup);

}  // namespace ingot::tests
