// JSON text as Go's encoder writes it.
#pragma once

#include <string>
#include <string_view>

namespace ingot::api {

// Serialised JSON with <, >, &, U+2028 and U+2029 escaped, as Go does by default.
[[nodiscard]] std::string escapedAsGo(std::string_view text);

}  // namespace ingot::api
