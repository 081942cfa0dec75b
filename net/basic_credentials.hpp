// The text of `Authorization: Basic`.
#pragma once

#include "base/secret.hpp"

#include <string>

namespace ingot::net {

// Base64 of user:password.
[[nodiscard]] std::string basicCredentials(const std::string& user, const base::Secret& password);

}  // namespace ingot::net
