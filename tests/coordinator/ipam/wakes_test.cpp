// What brings a claim back, and what does not (spec/ipam.md §15).
#include "tests/coordinator/ipam/world.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

TEST_CASE("§15 what a pool shows does not end the back-off of claims that wait", "[ipam][wakes]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.preAllocations = {{"b", "10.0.0.1"}};
  world.create(pool);
  world.create(addressObject("x", "10.0.0.1"));
  world.create(claimOf("b"));
  world.settle(5min);
  REQUIRE(world.told("WaitingForAddress") == Texts{"10.0.0.1 is kept for it, and somebody else has it"});
  const int before = world.passes("ipclaim");
  const std::size_t published = world.publications.size();
  for (int i = 0; i < 12; ++i) {
    world.create(addressObject(fmt::format("y{}", i), fmt::format("10.0.1.{}", i)));
    world.settle(10s);
  }
  CHECK(world.publications.size() >= published + 10);
  CHECK(world.passes("ipclaim") - before <= 4);
}

TEST_CASE("a Cluster API claim that waited is ready with an address that somebody made for it", "[ipam][wakes]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.preAllocations = {{"b", "10.0.0.1"}};
  world.create(pool);
  world.create(addressObject("x", "10.0.0.1"));
  world.create(capiClaimOf("b"));
  world.settle();
  REQUIRE(world.find<IPAddressClaim>("b")->status.conditions[0].status == "False");
  CapiAddress byHand;
  byHand.metadata = {.name = "net-10-0-0-2", .namespace_ = "metal"};
  byHand.spec = {
      .claimRef = {"b"}, .poolRef = {"pool", "IPPool", "ipam.metal3.io"}, .address = "10.0.0.2", .prefix = 24};
  world.create(byHand);
  world.settle(2min);
  const auto claim = *world.find<IPAddressClaim>("b");
  CHECK(claim.status.addressRef.name == "net-10-0-0-2");
  REQUIRE(claim.status.conditions.size() == 1);
  CHECK(claim.status.conditions[0].status == "True");
}

TEST_CASE("a pool shows addresses as the schema takes them", "[ipam][wakes]") {
  IpamSite world;
  world.create(smallPool());
  for (const auto& [claim, address] : {std::pair("odd", "::ffff:10.0.0.2"), std::pair("none", "fe80::1%eth0")}) {
    CapiAddress byHand;
    byHand.metadata = {.name = claim, .namespace_ = "metal"};
    byHand.spec = {
        .claimRef = {claim}, .poolRef = {"pool", "IPPool", "ipam.metal3.io"}, .address = address, .prefix = 24};
    world.create(byHand);
  }
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.find<IPPool>("pool")->status.indexes ==
        std::map<std::string, std::string>{{"a", "10.0.0.1"}, {"odd", "10.0.0.2"}});
}

TEST_CASE("a paused pool is not written to", "[ipam][wakes]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.clusterName = "blue";
  pool.metadata.annotations = {{"cluster.x-k8s.io/paused", ""}};
  world.writes.clear();
  world.create(pool);
  world.settle();
  CHECK(world.writes.empty());
}

TEST_CASE("an overlong request is refused in few words", "[ipam][wakes]") {
  IpamSite world;
  world.create(smallPool());
  auto claim = capiClaimOf("a");
  claim.metadata.annotations = {{"ipAddress", std::string(20'000, 'x')}};
  world.create(claim);
  world.settle();
  const auto conditions = world.find<IPAddressClaim>("a")->status.conditions;
  REQUIRE(conditions.size() == 1);
  CHECK(conditions[0].message.starts_with("Invalid ipAddress annotation \"xxx"));
  CHECK(conditions[0].message.size() <= 256);
}

TEST_CASE("a Cluster API claim whose addresses are all refused backs off, though each refusal names another one",
          "[ipam][wakes]") {
  constexpr int kMost = 1000;  // then none is refused any more, so that the test ends
  IpamSite world;
  auto pool = poolOf({subnetOf("10.0.0.0/16")});
  pool.spec.allocationStrategy = "random";
  world.create(pool);
  world.settle();
  world.denials = kMost;
  world.create(capiClaimOf("a"));
  world.settle();
  CHECK(kMost - world.denials > 2);
  CHECK(kMost - world.denials < 20);
  SECTION("until that ends") {
    world.denials = 0;
    world.settle(2min);
  }
  SECTION("or somebody takes the condition away") {
    world.settle(5min);
    world.denials = 0;
    world.patchStatus<IPAddressClaim>("a", R"({"status":{"conditions":[]}})");
    world.settle(1s);
  }
  CHECK_THAT(world.capiAnswer("a"), Catch::StartsWith("10.0."));
}
