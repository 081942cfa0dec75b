// With a watch filter: which pools are somebody else's, and what becomes of claims (spec/ipam.md §10, §15).
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

TEST_CASE("§15 with a filter pools without its label are somebody else's, with their claims", "[ipam][controllers]") {
  constexpr const char* kOurs = R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"ours"}}})";
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("served"));
  world.settle();
  REQUIRE(world.answer("served") == "10.0.0.1");
  world.watchFilter = "ours";
  world.restart();
  world.create(claimOf("a"));
  world.create(capiClaimOf("b"));
  world.remove<IPClaim>("served");
  world.writes.clear();
  world.settle(50s);
  CHECK(world.writes.empty());
  CHECK(world.told("WaitingForAddress").empty());
  world.settle(1h);
  CHECK(world.writes.empty());
  CHECK(world.told("WaitingForAddress").size() == 3);  // once each: maybe nobody serves that pool
  world.patch<IPPool>("pool", kOurs);
  world.settle(1min);
  CHECK(world.answer("served") == "gone");
  CHECK(Texts{world.answer("a"), world.capiAnswer("b")} == Texts{"10.0.0.2", "10.0.0.3"});
}

TEST_CASE("§15 with a filter a pool that is not there at all is told as without one", "[ipam][controllers]") {
  IpamSite world;
  world.watchFilter = "ours";
  world.restart();
  world.create(claimOf("a"));
  world.settle(1min);
  REQUIRE(world.told("WaitingForAddress").size() == 1);
  CHECK(world.told("WaitingForAddress").front() == "there is no pool metal/pool");
}

TEST_CASE("§10 a pool that has the filter's label serves claims that have none, and takes back what they had",
          "[ipam][controllers]") {
  IpamSite world;
  auto pool = smallPool();
  pool.metadata.labels = {{"cluster.x-k8s.io/watch-filter", "ours"}};
  world.create(pool);
  world.create(claimOf("earlier"));
  world.settle();
  world.watchFilter = "ours";
  world.restart();
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.2");
  world.remove<IPClaim>("earlier");
  world.settle();
  CHECK(world.answer("earlier") == "gone");
  world.remove<IPClaim>("a");
  world.remove<IPPool>("pool");
  world.settle();
  CHECK_FALSE(world.find<IPPool>("pool"));
}
