// A text that only who has the key can have made.
#pragma once

#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace ingot::base {

// HMAC-SHA256 in 64 hexadecimal digits.
[[nodiscard]] std::string hmacSha256(const Secret& key, std::string_view text);

}  // namespace ingot::base
