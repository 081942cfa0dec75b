// What admission says of an object.
#pragma once

#include <string>
#include <vector>

namespace ingot::api {

struct Verdict {
  std::vector<std::string> errors, warnings;

  [[nodiscard]] bool allowed() const { return errors.empty(); }
  // One error as it is, several different ones as "[e1, e2]": how upstream shows them.
  [[nodiscard]] std::string message() const;
};

}  // namespace ingot::api
