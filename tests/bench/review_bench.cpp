// What it costs the coordinator to look after 5,000 hosts that an agent serves: the review of each second when all is
// settled (goal: 50 ms of CPU), and the one that grants them all.
#include "tests/bench/cpu_clock.hpp"
#include "tests/coordinator/agents/fleet.hpp"

#include <cstdio>

namespace {

using namespace ingot;
using namespace std::chrono_literals;

constexpr int kHosts = 5'000;
constexpr int kSeconds = 20;

}  // namespace

int main() {
  tests::Fleet fleet(kHosts, 10s);
  auto start = tests::CpuClock::now();
  fleet.approve();
  if (!fleet.clock.advanceUntil([&] { return fleet.grants >= kHosts; }, 1min)) {
    fmt::print("only {} of {} hosts were granted\n", fleet.grants, kHosts);
    return 1;
  }
  fmt::print("granting {} hosts: {:.0f} ms\n", kHosts, tests::CpuClock::millisecondsSince(start));

  fleet.clock.advance(60s);  // rights to act have come, and nothing is left to do
  start = tests::CpuClock::now();
  fleet.clock.advance(std::chrono::seconds(kSeconds));
  fmt::print("a second with {} settled hosts, {} of them packed: {:.1f} ms ({} grants in all)\n", kHosts,
             fleet.hosts.packed(), tests::CpuClock::millisecondsSince(start) / kSeconds, fleet.grants);
}
