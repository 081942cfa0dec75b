// The words of ipmi_sim's chassis-control program, applied to a machine (spec/bmc.md §20.3).
#pragma once

#include "sim/machine/machine.hpp"

#include <string>
#include <vector>

namespace ingot::sim::ipmi {

struct ChassisAnswer {
  std::string text;  // lines "power:1", or why not
  int exitCode = 0;
};

// `words`: "get power boot", "set power 0", "set boot pxe".
[[nodiscard]] ChassisAnswer chassisControl(Machine& machine, Journal& journal, const std::vector<std::string>& words);

}  // namespace ingot::sim::ipmi
