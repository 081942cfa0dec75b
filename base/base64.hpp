// Bytes as base64 (RFC 4648, standard alphabet, padded).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ingot::base {

[[nodiscard]] std::string toBase64(std::string_view bytes);
// Line breaks are skipped, as Go's decoder does. nullopt: not base64.
[[nodiscard]] std::optional<std::string> fromBase64(std::string_view text);

}  // namespace ingot::base
