// The order in which a mapping's members are written.
#pragma once

#include <string_view>
#include <vector>

namespace ingot::json::yaml {

// Go's yaml.v2: runs of digits compare as numbers (a2 before a10), letters come behind other characters. Not transitive
// for mixtures such as a10, a1b, a2: nothing that needs a strict weak order may rely on it.
[[nodiscard]] bool standsBefore(std::string_view a, std::string_view b);

// Sorted by it; where it is no order, the result still depends on the set of keys alone. UTF-8, no key twice.
void sortKeys(std::vector<std::string_view>& keys);

}  // namespace ingot::json::yaml
