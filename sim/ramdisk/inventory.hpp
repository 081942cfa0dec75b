// What the ramdisk finds on the machine, in Ironic's words (spec/ramdisk.md §5).
#pragma once

#include "json/value.hpp"
#include "sim/machine/machine.hpp"

namespace ingot::sim::ramdisk {

[[nodiscard]] json::Object inventoryOf(const Machine& machine);

}  // namespace ingot::sim::ramdisk
