// `ipmitool -c sdr elist` (spec/bmc.md §15.4, §15.7). Pure.
#pragma once

#include "bmc/capability/sensors.hpp"

#include <string_view>

namespace ingot::bmc::ipmi {

// Rows without a reading, of another form or with an unknown unit are left out. Rows of discrete sensors are parts,
// those that are not well first (discrete_states.hpp). `said`: what ipmitool says beside, which is all that tells that
// it could not read the repository, or not to its end: that is `unread`, as is a repository without a row.
[[nodiscard]] Sensors parseSensors(std::string_view output, std::string_view said = {});

// The discrete sensors that are not well, and those without a reading.
[[nodiscard]] std::vector<RaisedBy> raisedBy(std::string_view output);

// What ipmitool says of a repository that it did not read, or not to its end; "": nothing, or that it is empty.
[[nodiscard]] std::string sdrTroubleIn(std::string_view said);

}  // namespace ingot::bmc::ipmi
