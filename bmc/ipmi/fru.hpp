// `ipmitool fru print` (spec/bmc.md §15.4, §15.8). Pure.
#pragma once

#include <string>
#include <string_view>

namespace ingot::bmc::ipmi {

// What the machine or a part of it is, as its BMC keeps it. Empty where that says nothing.
struct Fru {
  std::string manufacturer, product, serialNumber, partNumber;

  friend bool operator==(const Fru&, const Fru&) = default;
};

// Of the product; where nobody has filled that in, of the board and the chassis.
[[nodiscard]] Fru parseFru(std::string_view output);

}  // namespace ingot::bmc::ipmi
