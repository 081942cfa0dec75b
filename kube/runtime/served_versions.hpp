// What to say of a kind that a server does not serve as we know it.
#pragma once

#include "kube/client/api.hpp"

#include <string>
#include <vector>

namespace ingot::kube {

// The versions in which it serves the kind; none: it does not know it. Asked for after a 404: two requests, and one
// more for each other version of the group. Throws Error.
[[nodiscard]] base::Task<std::vector<std::string>> servedVersions(Api& api, Resource resource);

}  // namespace ingot::kube
