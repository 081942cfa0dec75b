// Claims rest with their own Cluster, also where their pool belongs to another or to none (spec/ipam.md §9).
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

api::capi::Cluster blueCluster(bool paused) {
  api::capi::Cluster cluster;
  cluster.metadata = {.name = "blue", .namespace_ = "metal"};
  cluster.spec.paused = paused;
  cluster.spec.infrastructureRef = {
      .apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3Cluster", .name = "blue"};
  return cluster;
}

template <class Claim>
Claim ofBlue(Claim claim) {
  claim.metadata.labels["cluster.x-k8s.io/cluster-name"] = "blue";
  return claim;
}

// Claim "going" of Cluster blue has an address, and the process has ended.
void serveThenDie(IpamSite& world) {
  world.create(smallPool());
  world.create(ofBlue(claimOf("going")));
  world.settle();
  REQUIRE(world.answer("going") == "10.0.0.1");
  world.kill();
}

}  // namespace

TEST_CASE("§9 a claim rests with the Cluster that it is for", "[ipam][controllers]") {
  IpamSite world;
  world.create(blueCluster(false));
  world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.9")}));
  auto named = capiClaimOf("c");
  named.spec.clusterName = "blue";
  world.create(ofBlue(claimOf("a")));
  world.settle();
  REQUIRE(world.answer("a").starts_with("10.0.0."));

  world.patch<api::capi::Cluster>("blue", R"({"spec":{"paused":true}})");
  world.settle();
  world.remove<IPClaim>("a");
  world.create(ofBlue(claimOf("b")));
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

TEST_CASE("a claim that is seen before its Cluster, which is paused, rests with it", "[ipam][controllers]") {
  IpamSite world;
  serveThenDie(world);
  world.clustersHeldFor = 10s;
  world.start();
  world.settle();
  world.writes.clear();
  world.create(blueCluster(true));
  world.create(ofBlue(claimOf("a")));
  world.create(ofBlue(capiClaimOf("c")));
  world.remove<IPClaim>("going");
  world.settle(1min);
  CHECK(world.writes.empty());
  world.patch<api::capi::Cluster>("blue", R"({"spec":{"paused":false}})");
  world.settle();
  CHECK(world.answer("going") == "gone");
  CHECK(world.answer("a").starts_with("10.0.0."));
  CHECK(world.capiAnswer("c").starts_with("10.0.0."));
}

TEST_CASE("§9 (4) a pool belongs to its Cluster also while that is paused: it is moved with it",
          "[ipam][controllers]") {
  IpamSite world;
  world.create(blueCluster(true));
  auto pool = smallPool();
  pool.spec.clusterName = "blue";
  world.create(pool);
  world.create(claimOf("a"));
  world.settle();
  const auto stored = world.find<IPPool>("pool").value();
  CHECK(stored.metadata.labels.at("cluster.x-k8s.io/cluster-name") == "blue");
  REQUIRE(stored.metadata.ownerReferences.size() == 1);
  CHECK(stored.metadata.ownerReferences[0].name == "blue");
  CHECK(stored.metadata.finalizers.empty());
  CHECK(world.answer("a").empty());
}

TEST_CASE("a claim for a Cluster is served where Cluster API is not installed", "[ipam][controllers]") {
  IpamSite world(IpamSite::ClusterApi::absent);
  world.create(smallPool());
  world.create(ofBlue(claimOf("a")));
  world.settle();
  REQUIRE(world.answer("a") == "10.0.0.1");
  world.remove<IPClaim>("a");
  world.settle();
  CHECK(world.answer("a") == "gone");
}

TEST_CASE("a Cluster that is not there is asked for twice a minute, however many claims name it",
          "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  for (const char* name : {"a", "b", "c", "d", "e"}) world.create(ofBlue(claimOf(name)));
  world.settle();
  CHECK(world.looksAtClusters == 1);
}

TEST_CASE("what becomes of the pool while a claim's Cluster is asked for counts", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.looksTake = 5s;
  world.create(ofBlue(claimOf("a")));
  world.settle(2s);
  REQUIRE(world.looksAtClusters == 1);
  SECTION("its range goes") {
    world.patch<IPPool>("pool", R"({"spec":{"pools":[{"start":"10.0.1.1","end":"10.0.1.3"}]}})");
    world.settle(1min);
    CHECK(world.answer("a") == "10.0.1.1");
  }
  SECTION("it goes itself") {
    world.remove<IPPool>("pool");
    world.settle(1min);
    CHECK(world.answer("a").empty());
    CHECK(world.all<OwnAddress>().empty());
    CHECK(world.all<IPPool>().empty());
  }
  CHECK(world.breaches().empty());
}

TEST_CASE("a claim rests while its Cluster cannot be read, which may be paused", "[ipam][controllers]") {
  IpamSite world;
  serveThenDie(world);
  world.unreadable.add("clusters.cluster.x-k8s.io", {"metal", "blue"});
  world.start();
  world.settle();
  world.writes.clear();
  world.create(ofBlue(claimOf("a")));
  world.remove<IPClaim>("going");
  world.settle(1min);
  CHECK(world.writes.empty());
}
