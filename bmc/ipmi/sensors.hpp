// `ipmitool -c sdr elist full` (spec/bmc.md §15.4, §15.7). Pure.
#pragma once

#include "bmc/model/sensors.hpp"

#include <string_view>

namespace ingot::bmc::ipmi {

// Rows without a reading, of another form or with an unknown unit are left out.
[[nodiscard]] Sensors parseSensors(std::string_view output);

}  // namespace ingot::bmc::ipmi
