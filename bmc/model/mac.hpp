// Hardware addresses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ingot::bmc {

// "00:1a:2b:3c:4d:5e" from any usual way to write six octets (colons, hyphens, 001a.2b3c.4d5e, any case);
// nullopt for anything else.
[[nodiscard]] std::optional<std::string> normaliseMac(std::string_view text);

// What upstream's admission accepts: 6, 8 or 20 octets in one of those notations, or without separators.
[[nodiscard]] bool looksLikeHardwareAddress(std::string_view text);

// Equal but for notation and case; false when either is none.
[[nodiscard]] bool sameMac(std::string_view a, std::string_view b);

}  // namespace ingot::bmc
