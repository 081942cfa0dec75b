// Pools and claims of both kinds on a whole API (spec/ipam.md).
#include "api/capi/cluster.hpp"
#include "kube/core/event.hpp"
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

api::capi::Cluster clusterOf(bool paused) {
  api::capi::Cluster cluster;
  cluster.metadata = {.name = "blue", .namespace_ = "metal"};
  cluster.spec.paused = paused;
  cluster.spec.infrastructureRef = {"infrastructure.cluster.x-k8s.io", "Metal3Cluster", "blue"};
  return cluster;
}

}  // namespace

TEST_CASE("§2.2, §3 a claim gets an address for three writes, and its pool shows it", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.writes.clear();
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
  CHECK(world.writes.size() == 4);  // finalizer, address object, status; the pool's status
  CHECK(count(world.writes, "/ippools/pool/status") == 1);
  const auto claim = *world.find<IPClaim>("a");
  CHECK(claim.metadata.finalizers == Texts{"ipclaim.ipam.metal3.io"});
  CHECK(claim.status.address == kube::ObjectReference{.namespace_ = "metal", .name = "net-10-0-0-1"});
  const auto pool = *world.find<IPPool>("pool");
  CHECK(pool.metadata.finalizers == Texts{"ippool.ipam.metal3.io"});
  CHECK(pool.status.indexes == std::map<std::string, std::string>{{"a", "10.0.0.1"}});
  CHECK(pool.status.lastUpdated);
}

TEST_CASE("§15 claims may come before their pool", "[ipam][controllers]") {
  IpamSite world;
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a").empty());
  world.create(smallPool());
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
}

TEST_CASE("§10, §15 claims of both kinds share a pool and never an address, also under one name",
          "[ipam][controllers]") {
  IpamSite world;
  world.create(claimOf("a"));
  world.create(capiClaimOf("a"));
  world.create(capiClaimOf("b"));
  world.create(smallPool());
  world.settle();
  CHECK(std::set{world.answer("a"), world.capiAnswer("a"), world.capiAnswer("b")} ==
        std::set<std::string>{"10.0.0.1", "10.0.0.2", "10.0.0.3"});
  CHECK(world.find<IPAddressClaim>("b")->status.conditions[0].reason == "Ready");
  CHECK(world.find<IPPool>("pool")->status.indexes.at("a") == world.answer("a"));
  world.remove<IPClaim>("a");
  world.settle();
  CHECK(world.capiAnswer("a") != "no object");
  CHECK(world.breaches().empty());
}

TEST_CASE("§10 (3), §18 hazard 3 a claim for another provider's pool of the same name is left alone",
          "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  auto foreign = capiClaimOf("a");
  foreign.spec.poolRef.apiGroup = "ipam.example.com";
  world.create(foreign);
  world.settle();
  CHECK(world.capiAnswer("a").empty());
  CHECK(world.find<IPAddressClaim>("a")->metadata.finalizers.empty());
}

TEST_CASE("§11, §19 addresses that are kept and asked for go to those they are meant for", "[ipam][controllers]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.preAllocations = {{"c1", "10.0.0.1"}};
  world.create(pool);
  world.create(claimOf("c0"));
  world.create(claimOf("c2", "10.0.0.3"));
  world.create(claimOf("thief", "10.0.0.1"));
  world.create(claimOf("far", "10.9.9.9"));
  world.settle();
  CHECK(world.answer("c0") == "10.0.0.2");
  CHECK(world.answer("c2") == "10.0.0.3");
  CHECK(world.answer("thief") == "Requested IP not available");
  CHECK(world.answer("far") == "Exhausted IP Pools");
  world.create(claimOf("c1"));
  world.settle();
  CHECK(world.answer("c1") == "10.0.0.1");
}

TEST_CASE("§3, §14, §18 hazard 8 a claim that was refused is tried again once its refusal is cleared, not before",
          "[ipam][controllers]") {
  IpamSite world;
  world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.1")}));
  world.create(claimOf("a"));
  world.settle();
  world.create(claimOf("b"));
  world.create(capiClaimOf("c"));
  world.settle();
  CHECK(world.answer("b") == "Exhausted IP Pools");
  CHECK(world.capiAnswer("c") == "Exhausted IP Pools");
  CHECK(world.find<IPAddressClaim>("c")->status.conditions[0].reason == "PoolExhausted");
  world.remove<IPClaim>("a");
  world.settle();
  CHECK(world.answer("a") == "gone");
  CHECK(world.answer("b") == "Exhausted IP Pools");
  world.patchStatus<IPClaim>("b", R"({"status":{"errorMessage":null}})");
  world.settle();
  CHECK(world.answer("b") == "10.0.0.1");
}

TEST_CASE("where that is wanted, claims that were refused for lack of addresses are tried again once one is free",
          "[ipam][controllers]") {
  IpamSite world;
  world.retry = coordinator::ipam::Retry::forLackOfAddresses;
  world.restart();
  world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.1")}));
  world.create(claimOf("a"));
  world.settle();
  world.create(claimOf("b"));
  world.create(capiClaimOf("c"));
  world.settle();
  REQUIRE(world.answer("b") == "Exhausted IP Pools");
  world.remove<IPClaim>("a");
  world.settle();
  const Texts answers = {world.answer("b"), world.capiAnswer("c")};
  CHECK(count(answers, "10.0.0.1") == 1);
  CHECK(count(answers, "Exhausted IP Pools") == 1);
  CHECK(world.breaches().empty());
}

TEST_CASE("every controller of addresses is counted", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.create(capiClaimOf("b"));
  world.settle();
  for (const std::string name :
       {"ippool", "ipclaim", "ipclaim-addresses", "ipaddressclaim", "ipaddressclaim-addresses"})
    CHECK(world.passes(name) > 0);
}

TEST_CASE("a pool that grows serves the claims that come after", "[ipam][controllers]") {
  IpamSite world;
  world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.1")}));
  world.create(claimOf("a"));
  world.settle();
  world.patch<IPPool>("pool", R"({"spec":{"pools":[{"start":"10.0.0.1","end":"10.0.0.2"}]}})");
  world.create(claimOf("b"));
  world.settle();
  CHECK(world.answer("b") == "10.0.0.2");
}

TEST_CASE("§12.2 (2), §19 a claim adopts the address object that is there for it, as after a move",
          "[ipam][controllers]") {
  IpamSite world;
  world.create(addressObject("a", "10.0.0.3"));
  world.create(smallPool());
  auto moved = claimOf("a");
  moved.metadata.finalizers = {"ipclaim.ipam.metal3.io"};
  world.create(moved);
  world.settle();
  CHECK(world.answer("a") == "10.0.0.3");
  CHECK(world.all<OwnAddress>().size() == 1);
}

TEST_CASE("§18 hazard 6 a kept address that somebody else has is waited for", "[ipam][controllers]") {
  IpamSite world;
  world.create(addressObject("other", "10.0.0.1"));
  auto pool = smallPool();
  pool.spec.preAllocations = {{"c1", "10.0.0.1"}};
  world.create(pool);
  world.create(claimOf("c1"));
  world.settle();
  CHECK(world.answer("c1").empty());
  world.remove<OwnAddress>("net-10-0-0-1");
  world.settle(1min);
  CHECK(world.answer("c1") == "10.0.0.1");
}

TEST_CASE("§7.1 a pool that keeps one address for two claims is refused", "[ipam][controllers]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.preAllocations = {{"a", "10.0.0.1"}, {"b", "10.0.0.1"}};
  CHECK_THROWS_WITH(world.create(pool), Catch::Contains("IP address is already pre-allocated to claim \"a\""));
  pool.spec.preAllocations.erase("b");
  world.create(pool);
  CHECK_THROWS_WITH(world.patch<IPPool>("pool", R"({"spec":{"preAllocations":{"b":"10.0.0.1"}}})"),
                    Catch::Contains("IP address is already pre-allocated to claim \"a\""));
}

TEST_CASE("§2.3, §9 (3), §14, §18 hazard 7 a pool waits for the Cluster it names, then belongs to it",
          "[ipam][controllers]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.clusterName = "blue";
  world.create(pool);
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a").empty());
  CHECK(world.find<IPPool>("pool")->metadata.labels ==
        std::map<std::string, std::string>{{"cluster.x-k8s.io/cluster-name", "blue"},
                                           {"cluster.x-k8s.io/provider", "ipam-metal3"}});
  CHECK(world.find<IPPool>("pool")->metadata.finalizers.empty());
  world.create(clusterOf(false));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
  CHECK(world.find<IPPool>("pool")->metadata.finalizers == Texts{"ippool.ipam.metal3.io"});
  const auto owners = world.find<IPPool>("pool")->metadata.ownerReferences;
  REQUIRE(owners.size() == 1);
  CHECK(owners[0].apiVersion == "cluster.x-k8s.io/v1beta2");
  CHECK(owners[0].kind == "Cluster");
  CHECK(owners[0].name == "blue");
  CHECK(owners[0].uid == world.find<api::capi::Cluster>("blue")->metadata.uid);
  CHECK(owners[0].controller == false);
  CHECK_FALSE(owners[0].blockOwnerDeletion);
}

TEST_CASE("§9 (4), §14 while paused nothing is given and nothing is taken back", "[ipam][controllers]") {
  IpamSite world;
  const bool byCluster = GENERATE(true, false);
  auto pool = smallPool();
  pool.spec.clusterName = "blue";
  world.create(clusterOf(false));
  world.create(pool);
  world.create(claimOf("a"));
  world.settle();
  if (byCluster)
    world.patch<api::capi::Cluster>("blue", R"({"spec":{"paused":true}})");
  else
    world.patch<IPPool>("pool", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  world.settle();
  world.create(claimOf("b"));
  world.remove<IPClaim>("a");
  world.settle(1min);
  CHECK(world.answer("b").empty());
  CHECK(world.answer("a") == "10.0.0.1");
  if (byCluster)
    world.patch<api::capi::Cluster>("blue", R"({"spec":{"paused":false}})");
  else
    world.patch<IPPool>("pool", R"({"metadata":{"annotations":null}})");
  world.settle();
  CHECK(world.answer("b").starts_with("10.0.0."));
  CHECK(world.answer("a") == "gone");
}

TEST_CASE("a paused claim is left as it is, and keeps its pool from going", "[ipam][controllers]") {
  IpamSite world;
  constexpr auto pause = R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})";
  constexpr auto resume = R"({"metadata":{"annotations":null}})";
  world.create(smallPool());
  world.create(claimOf("a"));
  world.create(capiClaimOf("c"));
  world.settle();
  const std::string ofOwn = world.answer("a"), ofCapi = world.capiAnswer("c");
  REQUIRE(std::set{ofOwn, ofCapi} == std::set<std::string>{"10.0.0.1", "10.0.0.2"});
  world.patch<IPClaim>("a", pause);
  world.patch<IPAddressClaim>("c", pause);
  auto late = claimOf("late");
  late.metadata.annotations["cluster.x-k8s.io/paused"] = "";
  world.create(late);
  world.remove<IPClaim>("a");
  world.remove<IPAddressClaim>("c");
  world.settle(1min);
  CHECK(world.answer("late").empty());
  CHECK(world.find<IPClaim>("late")->metadata.finalizers.empty());
  CHECK(world.answer("a") == ofOwn);
  CHECK(world.capiAnswer("c") == ofCapi);
  world.remove<IPPool>("pool");
  world.settle(1min);
  CHECK(world.find<IPPool>("pool"));
  world.patch<IPClaim>("a", resume);
  world.settle(1min);
  CHECK(world.answer("a") == "gone");
  CHECK(world.find<IPPool>("pool"));  // the other claim is still paused
  world.patch<IPAddressClaim>("c", resume);
  world.settle();
  CHECK(world.capiAnswer("c") == "gone");
  CHECK_FALSE(world.find<IPPool>("pool"));
}

TEST_CASE("without Cluster API's kinds pools without a Cluster are served", "[ipam][controllers]") {
  IpamSite world(IpamSite::ClusterApi::absent);
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
}

TEST_CASE("a pool shows its addresses at most once a second", "[ipam][controllers]") {
  IpamSite world;
  world.create(poolOf({subnetOf("10.0.0.0/16")}));
  world.settle();
  world.writes.clear();
  for (int i = 0; i < 100; ++i) {
    world.create(claimOf(fmt::format("c{}", i)));
    world.loop.clock.advance(50ms);
  }
  world.settle();
  for (std::size_t i = 1; i < world.publications.size(); ++i) {
    CHECK(world.publications[i] - world.publications[i - 1] >= 1s);
  }
  CHECK(world.writes.size() <= 308);
  CHECK(world.passes("ippool") <= 18);  // of five seconds and some: three a publication
  CHECK(world.retries("ippool") <= world.passes("ippool"));
  for (const std::string kind : {"ipclaim", "ipclaim-addresses"}) CHECK(world.passes(kind) <= 600);  // for 100 claims
  CHECK(world.find<IPPool>("pool")->status.indexes.size() == 100);
}

TEST_CASE("what somebody else made of the addresses that a pool shows is put right", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  const auto right = world.find<IPPool>("pool")->status.indexes;
  REQUIRE(right.size() == 1);
  for (const char* wrong :
       {R"({"indexes":null})", R"({"indexes":{"a":"10.0.0.3"}})", R"({"indexes":{"b":"10.0.0.2"}})"}) {
    world.patchStatus<IPPool>("pool", fmt::format(R"({{"status":{}}})", wrong));
    world.settle();
    CHECK(world.find<IPPool>("pool")->status.indexes == right);
  }
  const auto written = world.publications.size();
  world.settle(1h);
  CHECK(world.publications.size() == written);
}

TEST_CASE("a pool shows no more of its addresses than an object may hold, and says so once", "[ipam][controllers]") {
  IpamSite world;
  const std::string longName(4000, 'x');
  for (int i = 0; i < 300; ++i)
    world.create(addressObject(fmt::format("{:03}{}", i, longName), fmt::format("10.0.{}.{}", 1 + i / 200, i % 200)));
  world.create(poolOf({subnetOf("10.0.0.0/16")}));
  world.settle();
  const auto pool = *world.find<IPPool>("pool");
  const std::size_t shown = pool.status.indexes.size();
  CHECK(shown * 8030 > 1'280'000);  // as etcd would have to store it
  CHECK(shown * 8030 < 1'572'864);  // which is what it takes
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
  const auto events = world.all<kube::Event>();
  REQUIRE(events.size() == 1);
  CHECK(events[0].reason == "AddressesNotShown");
  CHECK(events[0].message ==
        fmt::format("status.indexes shows {} of 300 claims: more would not fit into the object. The IPAddress objects "
                    "are complete",
                    shown));
}

TEST_CASE("a pool whose server takes less than expected shows less, and says so", "[ipam][controllers]") {
  IpamSite world;
  world.largestPoolStatus = 3'000;
  for (int i = 0; i < 100; ++i)
    world.create(addressObject(fmt::format("{:03}{}", i, std::string(40, 'x')), fmt::format("10.0.0.{}", 100 + i)));
  world.create(poolOf({subnetOf("10.0.0.0/16")}));
  world.settle(1min);
  const auto shown = world.find<IPPool>("pool")->status.indexes.size();
  CHECK(shown > 10);
  CHECK(shown < 100);
  const auto events = world.all<kube::Event>();
  REQUIRE_FALSE(events.empty());
  CHECK(events[0].reason == "AddressesNotShown");
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
}
