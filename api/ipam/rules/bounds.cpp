#include "api/ipam/rules/bounds.hpp"

#include "base/ip_address.hpp"

#include <algorithm>

namespace ingot::api::ipam::rules {

namespace {

struct Written {
  bool asV6 = false;
  base::IpAddress address;

  friend auto operator<=>(const Written&, const Written&) = default;
};

std::optional<Written> read(const std::string& text) {
  const auto address = base::IpAddress::parse(text);
  if (!address) return std::nullopt;
  return Written{text.find(':') != std::string::npos, *address};
}

// False also for a text that cannot be read: the range is told of elsewhere.
bool holds(const Range& range, const Written& address) {
  if (!range.start && !range.end && !range.subnet) return false;
  if (range.start) {
    const auto start = read(*range.start);
    if (!start || address < *start) return false;
  }
  if (range.end) {
    const auto end = read(*range.end);
    if (!end || *end < address) return false;
  }
  if (!range.subnet) return true;
  const auto subnet = base::IpPrefix::parse(*range.subnet);
  return subnet && subnet->contains(address.address);
}

}  // namespace

bool isInBounds(const std::vector<Range>& ranges, const std::string& address) {
  const auto written = read(address);
  return written && std::ranges::any_of(ranges, [&](const Range& range) { return holds(range, *written); });
}

}  // namespace ingot::api::ipam::rules
