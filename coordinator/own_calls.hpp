// How the coordinator is known to an API server.
#pragma once

#include "kube/client/api.hpp"

namespace ingot::coordinator {

// By program, version and platform in an audit log and in the API's priorities; its fields are those of manager
// "ingot", whatever its version.
[[nodiscard]] kube::ApiOptions ownCalls();

}  // namespace ingot::coordinator
