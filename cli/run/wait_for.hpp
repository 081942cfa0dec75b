// Waiting until several hosts have reached a goal.
#pragma once

#include "cli/decide/goal.hpp"
#include "cli/run/session.hpp"

namespace ingot::cli {

// Prints a line for each host that gets there, and one for each that does not.
[[nodiscard]] base::Task<ExitCode> waitFor(Session& session, std::vector<std::string> names, Goal goal,
                                           base::Duration timeout);

}  // namespace ingot::cli
