// What a BMC keeps of the machine that it sits in: a FRU as IPMI's Platform Management FRU Information Storage
// Definition has it. Pure.
#pragma once

#include "sim/machine/spec.hpp"

#include <cstdint>
#include <vector>

namespace ingot::sim::ipmi {

// A common header and a product area.
[[nodiscard]] std::vector<std::uint8_t> fruData(const MachineSpec& spec);

}  // namespace ingot::sim::ipmi
