// How many may ask one workload cluster at a time.
#include "coordinator/remediation/cluster_turns.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::remediation;

TEST_CASE("a workload cluster is asked by three at a time, the others by anybody", "[remediation]") {
  ClusterTurns turns;
  const kube::ObjectKey slow{"metal", "slow"}, other{"metal", "other"};
  const auto first = turns.take(slow), second = turns.take(slow);
  {
    const auto third = turns.take(slow);
    CHECK_THROWS_AS(turns.take(slow), Waits);
    CHECK_NOTHROW(turns.take(other));
  }
  CHECK_NOTHROW(turns.take(slow));
}
