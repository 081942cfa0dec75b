// Texts that a YAML reader takes for a point in time.
#pragma once

#include <string_view>

namespace ingot::cloudinit::yaml {

// By the forms that Go's reader knows, which are valid dates, or by the pattern of YAML 1.1's timestamp type, which
// includes zones behind a space, and days that no calendar has.
[[nodiscard]] bool readsAsTimestamp(std::string_view text);

}  // namespace ingot::cloudinit::yaml
