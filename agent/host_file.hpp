// Names of files that belong to one host.
#pragma once

#include <string>

namespace ingot::agent {

// Letters, digits and dashes, at most 64: no path.
[[nodiscard]] bool isHostFileName(const std::string& host);
void requireHostFileName(const std::string& host);  // throws base::InvalidInput

}  // namespace ingot::agent
