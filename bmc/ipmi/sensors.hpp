// `ipmitool -c sdr elist` (spec/bmc.md §15.4, §15.7). Pure.
#pragma once

#include "bmc/model/sensors.hpp"

#include <string_view>

namespace ingot::bmc::ipmi {

// Rows without a reading, of another form or with an unknown unit are left out. Rows of discrete sensors are parts,
// those that are not well first (discrete_states.hpp).
[[nodiscard]] Sensors parseSensors(std::string_view output);

}  // namespace ingot::bmc::ipmi
