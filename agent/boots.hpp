// Which processes of this agent are over, for sure: those that ran on this very folder, whose lock the kernel has given
// to us. A copy of the folder proves nothing, and neither does another boot of the machine: it may be another machine.
#pragma once

#include <string>
#include <vector>

namespace ingot::agent {

// Writes down that `boot` has begun. Call it under the lock on `lockPath`, once. Returns the earlier boots, newest
// last. Throws base::Error.
[[nodiscard]] std::vector<std::string> beginBoot(const std::string& dataDir, const std::string& lockPath,
                                                 const std::string& machineBoot, const std::string& boot);

}  // namespace ingot::agent
