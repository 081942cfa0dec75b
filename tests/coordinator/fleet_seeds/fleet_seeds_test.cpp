// Hours of a fleet, each with its seed: whatever happens to agents, links, coordinators, BMCs and machines, the rules
// hold (machine_room.hpp), and when it is over every machine is as it is wished to be, and nothing of a log is lost.
#include "tests/coordinator/fleet_seeds/mischief.hpp"

#include <fmt/ranges.h>
#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

struct Range {
  std::uint64_t first = 1, last = 201;  // `last` is not among them
  bool isOurs = true;                   // INGOT_SEEDS=FROM-TO looks at others
};

Range fleetSeeds() {
  Range range;
  const char* told = std::getenv("INGOT_SEEDS");
  range.isOurs = told == nullptr;
  if (!range.isOurs) REQUIRE(std::sscanf(told, "%lu-%lu", &range.first, &range.last) == 2);
  REQUIRE(range.first < range.last);
  return range;
}

using Met = std::map<std::string, int>;

// What so much time of this seed has broken.
std::vector<std::string> live(std::uint64_t seed, std::size_t machines, base::Duration time, Met& met) {
  MachineRoom room(seed, machines);
  Mischief mischief(room);
  mischief.run(time);
  for (const auto& [kind, times] : mischief.met) met[kind] += times;
  if (room.broken.empty() && room.heal()) {
    room.watch(5min);  // logs are read every two
    int begun = 0, taken = 0;
    for (const auto* name : MachineRoom::kAgents) {
      begun += room.site.box(name).journal.begun;
      if (room.site.box(name).journal.repeated > 0) room.broken.push_back("a command was begun twice");
    }
    for (const auto& machine : room.machines) taken += machine->taken;
    room.judgeLogs();
    met["reset"] += taken;
    if (taken > begun) room.broken.push_back(fmt::format("{} resets for {} commands", taken, begun));
  }
  if (!room.broken.empty()) room.broken.push_back(mischief.story);
  return room.broken;
}

void check(std::uint64_t parity) {
  const Range range = fleetSeeds();
  Met met;
  int failed = 0;
  for (auto seed = range.first; seed < range.last && failed < 3; ++seed) {
    if (seed % 2 != parity) continue;
    const auto broken = live(seed, 20, 1h, met);
    INFO(fmt::format("seed {}\n{}", seed, fmt::join(broken, "\n")));
    CHECK(broken.empty());
    failed += broken.empty() ? 0 : 1;
  }
  if (!range.isOurs) return;
  auto kinds = Mischief::kinds();
  kinds.emplace_back("reset");
  for (const auto& kind : kinds) {
    INFO(kind);
    CHECK(met[kind] > 0);
  }
}

}  // namespace

TEST_CASE("odd hours", "[fleet]") { check(1); }

TEST_CASE("even hours", "[fleet]") { check(0); }

TEST_CASE("a thousand machines for a day", "[.day]") {
  Met met;
  const auto broken = live(1, 1000, 24h, met);
  INFO(fmt::format("{}", fmt::join(broken, "\n")));
  CHECK(broken.empty());
  CHECK(met["reset"] > 1000);
}

}  // namespace ingot::tests
