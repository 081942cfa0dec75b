#include "bmc/ipmi/fru.hpp"

#include "bmc/ipmi/command.hpp"

#include <algorithm>
#include <initializer_list>

namespace ingot::bmc::ipmi {

namespace {

// What makers leave in fields that they do not use.
bool isFilledIn(std::string_view value) {
  constexpr std::string_view fillers[] = {"N/A",           "None", "Unknown", "Unspecified", "To be filled by O.E.M.",
                                          "Default string"};
  return value.find_first_not_of("0 .-") != std::string_view::npos &&
         std::ranges::find(fillers, value) == std::end(fillers);
}

std::string firstOf(std::string_view output, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys)
    if (const auto value = valueOf(output, key); isFilledIn(value)) return std::string(value);
  return {};
}

}  // namespace

Fru parseFru(std::string_view output) {
  return {.manufacturer = firstOf(output, {"Product Manufacturer", "Board Mfg"}),
          .product = firstOf(output, {"Product Name", "Board Product"}),
          .serialNumber = firstOf(output, {"Product Serial", "Chassis Serial", "Board Serial"}),
          .partNumber = firstOf(output, {"Product Part Number", "Board Part Number"})};
}

}  // namespace ingot::bmc::ipmi
