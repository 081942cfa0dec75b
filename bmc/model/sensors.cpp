#include "bmc/model/sensors.hpp"

#include <algorithm>

namespace ingot::bmc {

Health worstOf(const std::vector<Component>& parts, std::string_view kind) {
  auto worst = Health::unknown;
  for (const auto& part : parts)
    if (kind.empty() || part.kind == kind) worst = std::max(worst, parseHealth(part.health).value_or(Health::unknown));
  return worst;
}

}  // namespace ingot::bmc
