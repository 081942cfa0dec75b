// Claims whose pool is not there, or gives nothing, say what they wait for (spec/ipam.md §9, §14).
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

TEST_CASE("a claim whose pool is not there says so", "[ipam][missing]") {
  IpamSite world;
  world.create(claimOf("a"));
  world.create(capiClaimOf("c"));
  world.settle();
  CHECK(world.told("WaitingForAddress").empty());  // it may be on its way
  world.settle(1min);
  CHECK(world.told("WaitingForAddress") == Texts(2, "there is no pool metal/pool"));
  CHECK(world.capiAnswer("c") == "there is no pool metal/pool");
  world.create(smallPool());
  world.settle();
  CHECK(world.answer("a").starts_with("10.0.0."));
  CHECK(world.capiAnswer("c").starts_with("10.0.0."));
}

TEST_CASE("a claim does not miss a pool that is there and gives nothing", "[ipam][missing]") {
  IpamSite world;
  world.create(claimOf("a"));
  world.create(capiClaimOf("c"));
  world.settle(1min);
  REQUIRE(world.capiAnswer("c") == "there is no pool metal/pool");
  auto pool = smallPool();
  std::string why;
  SECTION("as its Cluster is not there") {
    pool.spec.clusterName = "blue";
    why = "pool metal/pool waits for Cluster blue, which does not exist";
  }
  SECTION("as it is paused") {
    pool.metadata.annotations = {{"cluster.x-k8s.io/paused", ""}};
    why = "pool metal/pool is paused, by itself or by its Cluster";
  }
  world.create(pool);
  world.settle();
  CHECK(world.capiAnswer("c") == why);
  CHECK(count(world.told("WaitingForAddress"), why) == 2);
  world.patch<IPPool>("pool", R"({"metadata":{"annotations":null},"spec":{"clusterName":null}})");
  world.settle();
  CHECK(world.answer("a").starts_with("10.0.0."));
  CHECK(world.capiAnswer("c").starts_with("10.0.0."));
}

TEST_CASE("a claim names the Cluster that its pool waits for, once that should be there", "[ipam][missing]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.clusterName = "blue";
  world.create(pool);
  world.settle();
  world.create(capiClaimOf("c"));
  world.settle();
  CHECK(world.capiAnswer("c").empty());
  world.settle();
  CHECK(world.capiAnswer("c") == "pool metal/pool waits for Cluster blue, which does not exist");
}

TEST_CASE("a pool whose Cluster is not there says so, once", "[ipam][missing]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.clusterName = "blue";
  world.create(pool);
  world.settle();
  world.patch<IPPool>("pool", R"({"metadata":{"annotations":{"a":"b"}}})");
  world.settle();
  CHECK(world.told("WaitingForCluster") == Texts{"There is no Cluster blue: no address is given before"});
}
