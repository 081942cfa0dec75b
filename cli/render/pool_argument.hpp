// --pool NAME=ADDRESS[/PREFIX][,gateway=ADDRESS][,dns=ADDRESS]...: what a pool would give.
#pragma once

#include "cloudinit/snapshot.hpp"

namespace ingot::cli {

// Throws base::InvalidInput with the argument and what is wrong with it.
[[nodiscard]] cloudinit::PoolAddresses parsePools(const std::vector<std::string>& arguments);

}  // namespace ingot::cli
