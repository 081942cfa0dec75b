// Claims rest with their own Cluster, also where their pool belongs to another or to none (spec/ipam.md §9).
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

TEST_CASE("§9 a claim rests with the Cluster that it is for", "[ipam][controllers]") {
  IpamSite world;
  api::capi::Cluster cluster;
  cluster.metadata = {.name = "blue", .namespace_ = "metal"};
  cluster.spec.infrastructureRef = {
      .apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3Cluster", .name = "blue"};
  world.create(cluster);
  world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.9")}));
  const auto blue = [](auto claim) {
    claim.metadata.labels["cluster.x-k8s.io/cluster-name"] = "blue";
    return claim;
  };
  auto named = capiClaimOf("c");
  named.spec.clusterName = "blue";
  world.create(blue(claimOf("a")));
  world.settle();
  REQUIRE(world.answer("a").starts_with("10.0.0."));

  world.patch<api::capi::Cluster>("blue", R"({"spec":{"paused":true}})");
  world.settle();
  world.remove<IPClaim>("a");
  world.create(blue(claimOf("b")));
  world.create(named);
  world.create(claimOf("other"));
  world.settle(1min);
  CHECK(world.answer("a").starts_with("10.0.0."));
  CHECK(world.answer("b").empty());
  CHECK(world.capiAnswer("c").empty());
  CHECK(world.answer("other").starts_with("10.0.0."));

  world.patch<api::capi::Cluster>("blue", R"({"spec":{"paused":false}})");
  world.settle();
  CHECK(world.answer("a") == "gone");
  CHECK(world.answer("b").starts_with("10.0.0."));
  CHECK(world.capiAnswer("c").starts_with("10.0.0."));
}
