// spec/ipam.md §7.3: which addresses count as in a pool's bounds, against the rule as it is said, range by range.
#include "api/ipam/rules/bounds.hpp"
#include "base/random.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

namespace {

using namespace ingot;
using api::ipam::Range;
using api::ipam::rules::Bounds;

std::optional<Bounds::Written> read(const std::string& text) {
  const auto address = base::IpAddress::parse(text);
  if (!address) return std::nullopt;
  return Bounds::Written{text.find(':') != std::string::npos, *address};
}

bool holds(const Range& range, const Bounds::Written& address) {
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

bool hold(const std::vector<Range>& ranges, const std::string& address) {
  const auto written = read(address);
  return written && std::ranges::any_of(ranges, [&](const Range& range) { return holds(range, *written); });
}

const std::vector<std::string> kAddresses{"0.0.0.0",
                                          "9.255.255.255",
                                          "10.0.0.0",
                                          "10.0.0.1",
                                          "10.0.0.7",
                                          "10.0.0.255",
                                          "10.0.1.0",
                                          "255.255.255.255",
                                          "::",
                                          "::1",
                                          "::ffff:0.0.0.0",
                                          "::ffff:10.0.0.1",
                                          "::ffff:ff",
                                          "::fffe:ffff:ffff",
                                          "::ffff:10.0.0.7",
                                          "::1:0:0:0",
                                          "2001:db8::",
                                          "2001:db8::5",
                                          "2001:db9::",
                                          "fe80::1",
                                          "ffff::",
                                          "::ffff:255.255.255.255",
                                          "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                                          "none",
                                          ""};
const std::vector<std::string> kSubnets{"10.0.0.0/24", "10.0.0.6/31",   "0.0.0.0/0", "::/0", "::ffff:10.0.0.0/120",
                                        "::/64",       "2001:db8::/32", "ffff::/16", "none", "10.0.0.1/32"};

}  // namespace

TEST_CASE("§7.3 bounds hold what one of their ranges holds", "[api][ipam]") {
  const auto random = base::seededRandom(7);
  const auto one = [&](const std::vector<std::string>& of) -> std::optional<std::string> {
    if (random->below(3) == 0) return std::nullopt;
    return of[random->below(of.size())];
  };
  int held = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<Range> ranges(random->below(5));
    for (auto& range : ranges) {
      range.start = one(kAddresses);
      range.end = one(kAddresses);
      if (random->below(2) == 0) range.subnet = one(kSubnets);
    }
    const Bounds bounds(ranges);
    for (const auto& address : kAddresses) {
      const bool expected = hold(ranges, address);
      held += expected ? 1 : 0;
      if (bounds.hold(address) == expected) continue;
      std::string all;
      for (const auto& range : ranges)
        all +=
            fmt::format("[{} {} {}] ", range.start.value_or("-"), range.end.value_or("-"), range.subnet.value_or("-"));
      FAIL_CHECK(address << (expected ? " is held by " : " is not held by ") << all);
    }
  }
  CHECK(held > 10'000);
}
