// Which processes of this agent have certainly ended: those that ran on this very data folder, whose lock this process
// holds now. A copy of the folder proves nothing, and neither does another boot of the machine: it may be another
// machine.
#pragma once

#include "base/log.hpp"

#include <string>
#include <vector>

namespace ingot::agent {

// Records that `boot` has begun; a full disk, which is logged, keeps no agent from starting: nobody can prove then that
// this boot has ended. Call it once, while holding the lock on `lockPath`. Returns the earlier boots, newest last.
// Throws base::Error.
[[nodiscard]] std::vector<std::string> beginBoot(const base::Log& log, const std::string& dataDir,
                                                 const std::string& lockPath, const std::string& machineBoot,
                                                 const std::string& boot);

}  // namespace ingot::agent
