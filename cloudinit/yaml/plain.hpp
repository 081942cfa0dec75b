// Whether a text may stand in YAML without quotes.
#pragma once

#include <string_view>

namespace ingot::cloudinit::yaml {

// True when every reader of YAML 1.1 takes the unquoted text for a text: neither Go's yaml.v2 nor the types of YAML 1.1
// (yes, 0x10, 1_000, 12:30:45, 2026-08-01, .inf, ~, <<, = ...) make anything else of it. Says nothing of indicators
// such as `#`.
[[nodiscard]] bool readsAsText(std::string_view plain);

}  // namespace ingot::cloudinit::yaml
