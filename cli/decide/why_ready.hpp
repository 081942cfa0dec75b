// Why a machine that is ready is where it is, and since when what is known of its host holds. Pure.
#pragma once

#include "cli/decide/machine_progress.hpp"

namespace ingot::cli {

// The coordinator's decision on its host, and that host, each with its age. Empty: the host is not told of.
[[nodiscard]] std::vector<std::string> whyReady(const MachinePicture& picture, base::WallTime now);

}  // namespace ingot::cli
