// Pools that can give out the same address say so.
#include "coordinator/ipam/overlaps.hpp"
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

using coordinator::ipam::PoolSpans;

IPPool named(IPPool pool, const std::string& name) {
  pool.metadata.name = pool.spec.namePrefix = name;
  return pool;
}

std::string firstShared(std::vector<api::ipam::Range> a, std::vector<api::ipam::Range> b) {
  const PoolSpans left(poolOf(std::move(a))), right(poolOf(std::move(b)));
  const auto shared = left.firstShared(right);
  CHECK(shared == right.firstShared(left));
  return shared ? shared->text() : "";
}

}  // namespace

TEST_CASE("what two pools share is found in all of their ranges", "[ipam]") {
  CHECK(firstShared({startToEnd("10.0.0.1", "10.0.0.9")}, {startToEnd("10.0.0.10", "10.0.0.20")}).empty());
  CHECK(firstShared({startToEnd("10.0.0.1", "10.0.0.9")}, {startToEnd("10.0.0.9", "10.0.0.20")}) == "10.0.0.9");
  CHECK(firstShared({subnetOf("10.0.0.0/24")}, {startToEnd("10.0.0.50", "10.0.0.60")}) == "10.0.0.50");
  CHECK(firstShared({startToEnd("10.0.2.1", "10.0.2.9"), startToEnd("10.0.0.1", "10.0.0.9")},
                    {startToEnd("10.0.1.1", "10.0.1.9"), startToEnd("10.0.2.5", "10.0.2.6")}) == "10.0.2.5");
  CHECK(firstShared({subnetOf("2001:db8::/64")}, {subnetOf("10.0.0.0/8")}).empty());
  CHECK(firstShared({}, {subnetOf("10.0.0.0/8")}).empty());
}

TEST_CASE("a pool that overlaps another one is told of once", "[ipam][controllers]") {
  IpamSite world;
  world.create(named(poolOf({startToEnd("10.0.0.10", "10.0.0.20")}), "a"));
  world.create(named(poolOf({startToEnd("10.0.1.10", "10.0.1.20")}), "b"));
  world.settle();
  REQUIRE(world.told("PoolsOverlap").empty());
  world.patch<IPPool>("b", R"({"spec":{"pools":[{"start":"10.0.0.15","end":"10.0.0.30"}]}})");
  world.settle();
  REQUIRE(world.told("PoolsOverlap").size() == 1);
  CHECK_THAT(
      world.told("PoolsOverlap").front(),
      Catch::Contains(
          "addresses with 1 other pools of its namespace, so two claims can get the same one: a (from 10.0.0.15 on)"));
  auto claim = claimOf("c");
  claim.spec.pool.name = "b";
  world.create(claim);
  world.settle(1h);
  CHECK(world.answer("c") == "10.0.0.15");
  CHECK(world.told("PoolsOverlap").size() == 1);
}
