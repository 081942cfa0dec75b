// Where the parts of a machine keep what they are: `ipmitool -v sdr elist fru` (spec/bmc.md §15.8). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc::ipmi {

struct FruDevice {
  int id = 0;        // for `fru print`
  std::string name;  // as the BMC calls it
  std::string kind;  // as in Module::kind

  friend bool operator==(const FruDevice&, const FruDevice&) = default;
};

// Those that the BMC itself answers for in the form of a FRU, without its own (0): what is behind another controller
// would be read as something else.
[[nodiscard]] std::vector<FruDevice> parseFruDevices(std::string_view output);

}  // namespace ingot::bmc::ipmi
