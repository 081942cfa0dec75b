// By which library the agent speaks HTTP to BMCs.
#pragma once

#include "base/runtime.hpp"
#include "net/client.hpp"

#include <memory>

namespace ingot::agent {

enum class RedfishTransport { curl, libredfish };

// False: this agent was built without -DINGOT_LIBREDFISH=ON (docs/decisions/0027).
[[nodiscard]] bool isBuiltIn(RedfishTransport choice);

// Of one that is built in. Throws base::Error where the environment is not fit for it. `keptConnections`: of curl,
// while nobody uses them.
[[nodiscard]] std::unique_ptr<net::HttpTransport> redfishTransport(base::Runtime runtime, RedfishTransport choice,
                                                                   std::size_t keptConnections);

}  // namespace ingot::agent
