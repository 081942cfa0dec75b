// Room for a config drive at the end of a disk that an image was written to.
#pragma once

#include "sim/machine/disk.hpp"

#include <cstdint>
#include <vector>

namespace ingot::sim::ramdisk {

struct Region {
  std::uint64_t offset = 0, length = 0;  // bytes
};

// Adds a partition of at least `bytes` at the end of the disk, to its GPT (named "config-2"; the backup table moves to
// the disk's end) or MBR. A GPT partition of that name that is large enough is used instead. Throws base::Error when
// there is no partition table, no free entry or no room.
[[nodiscard]] Region makeConfigPartition(Disk& disk, std::uint64_t bytes);

// Of its GPT, or the first four of its MBR; none where it has neither. Throws base::Error for a GPT that is damaged.
[[nodiscard]] std::vector<Region> partitionsOf(const Disk& disk);

}  // namespace ingot::sim::ramdisk
