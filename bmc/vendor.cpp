#include "bmc/vendor.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace ingot::bmc {

namespace {

struct Mark {
  std::string_view contains;  // in lower case
  std::string_view vendor;
};

// Order matters: "hp" is also inside other words, so it comes last among its family.
constexpr Mark marks[] = {
    {"dell", "dell"},
    {"hpe", "hpe"},
    {"hewlett", "hpe"},
    {"lenovo", "lenovo"},
    {"supermicro", "supermicro"},
    {"super micro", "supermicro"},
    {"fujitsu", "fujitsu"},
    {"huawei", "huawei"},
    {"xfusion", "huawei"},
    {"asrockrack", "asrockrack"},
    {"american megatrends", "ami"},
    {"gigabyte", "gigabyte"},
    {"giga computing", "gigabyte"},
    {"cisco", "cisco"},
    {"nvidia", "nvidia"},
    {"wiwynn", "nvidia"},
    {"nokia", "nokia"},
    {"openbmc", "openbmc"},
    {"intel", "openbmc"},
};

}  // namespace

std::string normalizeVendor(std::string_view text) {
  const std::string lower = base::lower(text);
  for (const auto& [contains, vendor] : marks)
    if (lower.find(contains) != std::string::npos) return std::string(vendor);
  if (lower == "hp" || lower.starts_with("hp ")) return "hpe";
  if (lower == "ami" || lower.starts_with("ami ")) return "ami";
  return {};
}

}  // namespace ingot::bmc
