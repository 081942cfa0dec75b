// Hours of a fleet, each with its seed: whatever happens to agents, links, coordinators, BMCs and machines, the rules
// hold (machine_room.hpp), and when it is over every machine is as it is wished to be, and nothing of a log is lost.
#include "tests/coordinator/fleet_seeds/life.hpp"
#include "tests/support/seed_range.hpp"

#include <fmt/ranges.h>
#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

#if __has_feature(address_sanitizer)
constexpr std::uint64_t kHours = 60;  // each takes several times as long
#else
constexpr std::uint64_t kHours = 200;
#endif

void check(std::uint64_t parity) {
  const SeedRange range = seedRange(1, kHours + 1);
  Met met;
  int failed = 0;
  for (auto seed = range.first; seed < range.last && failed < 3; ++seed) {
    if (seed % 2 != parity) continue;
    const auto broken = liveFor(seed, 20, 1h, met);
    INFO(fmt::format("seed {}\n{}", seed, fmt::join(broken, "\n")));
    CHECK(broken.empty());
    failed += broken.empty() ? 0 : 1;
  }
  if (range.isTold) return;
  auto kinds = Mischief::kinds();
  for (const auto* what : {"reset", "write judged", "restart judged", "wrong fact judged"}) kinds.emplace_back(what);
  for (const auto& kind : kinds) {
    INFO(kind);
    CHECK(met[kind] > 0);
  }
}

}  // namespace

TEST_CASE("odd hours", "[fleet]") { check(1); }

TEST_CASE("even hours", "[fleet]") { check(0); }

}  // namespace ingot::tests
