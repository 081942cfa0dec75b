// How many may write to one workload cluster at a time.
#include "coordinator/workload/cluster_turns.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace ingot;
using coordinator::workload::ClusterTurns;

TEST_CASE("three write to a workload cluster at a time, and each end wakes one of those who wait", "[workload]") {
  std::vector<std::string> woken;
  ClusterTurns turns([&](const kube::ObjectKey& asker) { woken.push_back(asker.name); });
  const kube::ObjectKey slow{"metal", "slow"}, other{"metal", "other"};
  const auto take = [&](const char* asker) { return turns.take(slow, {"metal", asker}); };
  auto first = take("a"), second = take("b");
  {
    const auto third = take("c");
    CHECK(third);
    CHECK_FALSE(take("d"));
    CHECK_FALSE(take("e"));
    CHECK_FALSE(take("e"));
    CHECK(turns.take(other, {"metal", "f"}));
    CHECK(woken.empty());
  }
  CHECK(woken == std::vector<std::string>{"d"});
  const auto fourth = take("d");
  CHECK(fourth);
  first.reset();
  second.reset();
  CHECK(woken == std::vector<std::string>{"d", "e"});  // once
}

TEST_CASE("an asker that does not take its turn keeps nobody else from it", "[workload]") {
  std::vector<std::string> woken;
  ClusterTurns turns([&](const kube::ObjectKey& asker) { woken.push_back(asker.name); });
  const auto take = [&](const char* asker) { return turns.take({"metal", "slow"}, {"metal", asker}); };
  auto first = take("a"), second = take("b"), third = take("c");
  for (const char* asker : {"gone", "g", "h", "i", "j"}) CHECK_FALSE(take(asker));
  first.reset();
  CHECK(woken == std::vector<std::string>{"g"});
  second.reset();
  CHECK(woken == std::vector<std::string>{"g", "gone", "h"});
  third.reset();
  CHECK(woken == std::vector<std::string>{"g", "gone", "h", "i", "j"});
}
