// How many may write to one workload cluster at a time.
#include "coordinator/workload/cluster_turns.hpp"

#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::workload::ClusterTurns;
using tests::Loop;

namespace {

kube::ObjectKey cluster(int number) { return {"metal", fmt::format("c{}", number)}; }

}  // namespace

TEST_CASE("three write to a workload cluster at a time, and each end wakes one of those who wait", "[workload]") {
  std::vector<std::string> woken;
  Loop loop;
  ClusterTurns turns(loop.clock, 10, [&](const kube::ObjectKey& asker) { woken.push_back(asker.name); });
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
  Loop loop;
  ClusterTurns turns(loop.clock, 10, [&](const kube::ObjectKey& asker) { woken.push_back(asker.name); });
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

TEST_CASE("half of the workers write to clusters, however many there are, and all clusters come to it", "[workload]") {
  std::vector<std::string> woken;
  Loop loop;
  ClusterTurns turns(loop.clock, 8, [&](const kube::ObjectKey& asker) { woken.push_back(asker.name); });
  std::vector<ClusterTurns::Turn> taken;
  taken.reserve(4);
  for (int i = 0; i < 4; ++i) taken.push_back(turns.take(cluster(i), {"metal", "a"}).value());
  for (const char* asker : {"b", "c", "d"}) CHECK_FALSE(turns.take(cluster(0), {"metal", asker}));
  CHECK_FALSE(turns.take(cluster(4), {"metal", "e"}));
  CHECK_FALSE(turns.take(cluster(5), {"metal", "f"}));
  taken.pop_back();
  CHECK(woken == std::vector<std::string>{"b"});
  CHECK(turns.take(cluster(0), {"metal", "b"}));  // ends at once
  CHECK(woken == std::vector<std::string>{"b", "e"});
  CHECK(turns.take(cluster(4), {"metal", "e"}));
  CHECK(woken == std::vector<std::string>{"b", "e", "f"});
}

TEST_CASE("clusters that have been slow leave turns to those that are quick, for some minutes", "[workload]") {
  std::vector<std::string> woken;
  Loop loop;
  ClusterTurns turns(loop.clock, 10, [&](const kube::ObjectKey& asker) { woken.push_back(asker.name); });
  constexpr int kSlow = 5;
  {
    std::vector<ClusterTurns::Turn> taken;
    taken.reserve(kSlow);
    for (int i = 0; i < kSlow; ++i) taken.push_back(turns.take(cluster(i), {"metal", "a"}).value());
    loop.clock.advance(10s);
  }
  const auto takeSlow = [&] {
    std::vector<ClusterTurns::Turn> taken;
    for (int i = 0; i < kSlow; ++i)
      if (auto turn = turns.take(cluster(i), {"metal", fmt::format("slow{}", i)})) taken.push_back(std::move(*turn));
    return taken;
  };
  {
    const auto slow = takeSlow();
    CHECK(slow.size() == 2);
    const auto quick = turns.take(cluster(9), {"metal", "x"}), second = turns.take(cluster(9), {"metal", "y"});
    CHECK((quick && second));
    CHECK(woken.empty());
  }
  CHECK(woken == std::vector<std::string>{"slow2", "slow3", "slow4"});
  loop.clock.advance(5min);
  CHECK(takeSlow().size() == 5);
}

TEST_CASE("one worker writes to any cluster", "[workload]") {
  Loop loop;
  ClusterTurns turns(loop.clock, 1, [](const kube::ObjectKey&) {});
  for (int i = 0; i < 2; ++i) {
    const auto turn = turns.take(cluster(1), {"metal", "a"});
    CHECK(turn);
    loop.clock.advance(10s);
  }
}
