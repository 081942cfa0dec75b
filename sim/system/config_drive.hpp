// The config drive on a machine's disks, found as cloud-init finds it: by its label.
#pragma once

#include "sim/firstboot/first_boot.hpp"
#include "sim/machine/disk.hpp"

#include <optional>
#include <vector>

namespace ingot::sim::system {

// nullopt when no partition holds an ISO volume of that label. Throws base::Error for one that cannot be read.
[[nodiscard]] std::optional<firstboot::ConfigDrive> findConfigDrive(const std::vector<Disk>& disks);

}  // namespace ingot::sim::system
