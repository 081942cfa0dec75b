// spec/ipam.md §8 and §19: which address an index of a range stands for, and how many indexes there are.
#include "api/ipam/span.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using api::ipam::RandomSpace;
using api::ipam::Range;

namespace {

std::string addressAt(const Range& range, base::Uint128 index) {
  const auto span = api::ipam::sequentialSpan(range);
  if (!span || span->last.value() - span->first.value() < index) return "none";
  return base::IpAddress(span->first.value() + index).text();
}

// "5 of which 4", "5" or what is wrong.
std::string sizeOf(const Range& range) {
  const auto space = api::ipam::randomSpace(range);
  if (const auto* problem = std::get_if<std::string>(&space)) return *problem;
  const auto& found = std::get<RandomSpace>(space);
  if (!found.usable) return std::to_string(found.size) + " of which 0";
  const auto last = std::min(found.usable->last.value(), found.base + found.size - 1);
  const auto usable = static_cast<std::uint64_t>(last - found.usable->first.value()) + 1;
  return std::to_string(found.size) + (usable == found.size ? "" : " of which " + std::to_string(usable));
}

}  // namespace

TEST_CASE("§8.1, §19 an index of a range stands for one address, or for none", "[ipam][span]") {
  struct Row {
    Range range;
    int index;
    std::string address;
  };
  const auto row = GENERATE(values<Row>({
      {{.start = "192.168.0.10"}, 0, "192.168.0.10"},
      {{.start = "192.168.0.10"}, 1, "192.168.0.11"},
      {{.start = "192.168.0.10", .end = "192.168.0.11"}, 1, "192.168.0.11"},
      {{.start = "192.168.0.10", .end = "192.168.0.11"}, 2, "none"},
      {{.subnet = "192.168.0.0/24"}, 0, "192.168.0.1"},
      {{.subnet = "192.168.0.0/24"}, 254, "192.168.0.255"},
      {{.subnet = "192.168.0.0/24"}, 255, "none"},
      {{.subnet = "192.168.0.10/24"}, 0, "192.168.0.11"},
      {{.start = "192.168.1.5", .subnet = "192.168.0.0/24"}, 0, "none"},
      {{.start = "192.167.255.255", .subnet = "192.168.0.0/24"}, 0, "none"},
      {{.end = "192.168.0.3", .subnet = "192.168.0.0/24"}, 10, "192.168.0.11"},
      {{.end = "192.168.0.3"}, 0, "none"},
      {{.start = "255.255.255.255"}, 0, "255.255.255.255"},
      {{.start = "255.255.255.255"}, 1, "none"},
      {{.start = "2001::10"}, 16, "2001::20"},
      {{.start = "::0005"}, 0, "::5"},
      {{.start = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}, 1, "none"},
      {{.start = "2001:DB8:0:0:0:0:0:1"}, 0, "2001:db8::1"},
  }));
  CAPTURE(row.range.start.value_or(""), row.range.end.value_or(""), row.range.subnet.value_or(""), row.index);
  CHECK(addressAt(row.range, static_cast<base::Uint128>(row.index)) == row.address);
}

TEST_CASE("§8.2 how many indexes a random draw has", "[ipam][span]") {
  struct Row {
    Range range;
    std::string size;
  };
  const auto row = GENERATE(values<Row>({
      {{.start = "10.0.0.1", .end = "10.0.0.4"}, "4"},
      {{.start = "10.0.0.1", .end = "10.0.0.1"}, "1"},
      {{.start = "10.0.0.250", .end = "10.0.1.5", .subnet = "10.0.1.0/24"}, "12 of which 6"},
      {{.start = "10.0.0.1", .subnet = "10.0.0.0/29"}, "7"},
      {{.subnet = "10.0.0.0/29"}, "7"},
      {{.subnet = "10.0.0.3/29"}, "7 of which 4"},
      {{.start = "10.0.0.1"}, "pool with Start requires End or Subnet to determine size"},
      {{.end = "10.0.0.1"}, "either Start or Subnet is required for ipAddress"},
      {{.start = "10.0.0.4", .end = "10.0.0.1"}, "end IP 10.0.0.1 is before start IP 10.0.0.4"},
      {{.start = "2001::", .end = "2001::7fff:ffff:ffff:fffe"}, "9223372036854775807"},
      {{.start = "2001::", .end = "2001::7fff:ffff:ffff:ffff"}, "pool size exceeds int range"},
      {{.subnet = "2001::/64"}, "pool size exceeds int range"},
  }));
  CAPTURE(row.range.start.value_or(""), row.range.end.value_or(""), row.range.subnet.value_or(""));
  CHECK(sizeOf(row.range) == row.size);
}
