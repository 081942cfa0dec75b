// Many small jobs, a few at a time: writes that should share commits instead of waiting for each other's.
#pragma once

#include "base/task.hpp"

#include <functional>
#include <vector>

namespace ingot::apiserver {

using Job = std::function<base::Task<void>()>;

// Runs the jobs in `group`, at most `width` at once, and returns when all have ended. One that throws does not keep the
// others from running; what the first threw is thrown in the end. Throws Cancelled when the group was closed before all
// had run. Cancelling the caller leaves the jobs running; they must own what they use.
[[nodiscard]] base::Task<void> runAll(base::TaskGroup& group, base::Executor executor, std::vector<Job> jobs,
                                      std::size_t width = 64);

}  // namespace ingot::apiserver
