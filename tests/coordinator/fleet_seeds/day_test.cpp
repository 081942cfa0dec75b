// A day of a fleet of a thousand: `./dev test long`, in the release build.
#include "tests/coordinator/fleet_seeds/life.hpp"

#include <fmt/ranges.h>
#include <catch2/catch.hpp>

namespace ingot::tests {

using namespace std::chrono_literals;

TEST_CASE("a thousand machines for a day", "[.day]") {
  Met met;
  const auto broken = liveFor(1, 1000, 24h, met);
  INFO(fmt::format("{}", fmt::join(broken, "\n")));
  CHECK(broken.empty());
  CHECK(met["reset"] > 1000);
}

}  // namespace ingot::tests
