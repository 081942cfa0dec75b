// All controllers of the Cluster API provider together: whatever goes wrong at whichever of their writes, no host is
// claimed twice, no machine has two, no address or index is used twice, no Secret is half-written, and nothing is left.
#include "tests/coordinator/seeds/granted.hpp"
#include "tests/coordinator/seeds/run.hpp"

#include <fmt/ranges.h>
#include <catch2/catch.hpp>

namespace ingot::tests::seeds {
namespace {

// Two processes share the seeds and the pairs.
void check(Half half) {
  const Seeds seeds = seedsOf(half);
  Run run(half);
  for (const int seed : seeds.all)
    if (!run.live(seed)) break;
  INFO(fmt::format("{}", fmt::join(run.failures(), "\n")));
  CHECK(run.failures().empty());
  if (!seeds.areAll) WARN(run.text());
  if (!seeds.areAll || !run.failures().empty()) return;
  const auto missed = run.missed();
  INFO(fmt::format("never met:\n{}", fmt::join(missed, "\n")));
  CHECK(missed.empty());
  const auto rights = comparedWithGranted(run.usedRights());
  CHECK(rights.denied == std::set<std::string>{});
  // Asked where nothing is known of a pool that a claim names, which lives have cached; and what OpenShift asks for.
  CHECK(rights.unused == std::set<std::string>{"delete ippools.ipam.metal3.io", "get ippools.ipam.metal3.io",
                                               "update ipaddressclaims/finalizers.ipam.cluster.x-k8s.io",
                                               "update ipclaims/finalizers.ipam.metal3.io",
                                               "update ippools/finalizers.ipam.metal3.io"});
}

}  // namespace

TEST_CASE("odd seeds", "[seeds]") { check(Half::odd); }

TEST_CASE("even seeds", "[seeds]") { check(Half::even); }

}  // namespace ingot::tests::seeds
