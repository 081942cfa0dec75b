// A virtual drive of the BMC and what lies in it.
#pragma once

#include <string>
#include <vector>

namespace ingot::sim {

struct MediaSlot {
  std::string id;
  std::vector<std::string> types;
  std::string image;  // URL; "" when empty
  bool writeProtected = true;

  [[nodiscard]] bool inserted() const { return !image.empty(); }
};

}  // namespace ingot::sim
