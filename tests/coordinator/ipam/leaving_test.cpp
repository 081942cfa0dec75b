// Claims and pools on their way out (spec/ipam.md).
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

TEST_CASE("§10.2 (3), §19 a claim keeps its address while somebody else's finalizer holds it", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  auto claim = claimOf("a");
  claim.metadata.finalizers = {"infrastructure.cluster.x-k8s.io/metal3data"};
  world.create(claim);
  world.settle();
  world.remove<IPClaim>("a");
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
  world.patch<IPClaim>("a", R"({"metadata":{"finalizers":["ipclaim.ipam.metal3.io"]}})");
  world.settle();
  CHECK(world.answer("a") == "gone");
  CHECK(world.all<OwnAddress>().empty());
  CHECK(world.find<IPPool>("pool")->status.indexes.empty());
}

TEST_CASE("a claim that is deleted and made anew at once gets an address that exists", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  for (int i = 0; i < 5; ++i) {
    world.remove<IPClaim>("a");
    for (int wait = 0; world.answer("a") != "gone" && wait < 10'000; ++wait) world.loop.clock.advance(1ms);
    REQUIRE(world.answer("a") == "gone");
    world.create(claimOf("a"));
  }
  world.settle(1min);
  CHECK(world.answer("a").starts_with("10.0.0."));
  CHECK(world.breaches().empty());
}

TEST_CASE("§9, §18 hazard 4, §19 a pool in deletion gives out nothing and stays until its last address is gone",
          "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.remove<IPPool>("pool");
  world.create(claimOf("late"));
  world.settle();
  REQUIRE(world.find<IPPool>("pool"));
  CHECK(world.answer("late").empty());
  world.remove<IPClaim>("a");
  world.settle();
  CHECK_FALSE(world.find<IPPool>("pool"));
  CHECK(world.all<OwnAddress>().empty());
  world.create(smallPool());
  world.settle();
  CHECK(world.answer("late") == "10.0.0.1");
}

TEST_CASE("a pool in deletion does not wait for an address that the server refused", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.denials = 1'000'000;
  world.create(claimOf("a"));
  world.settle();
  REQUIRE(world.all<OwnAddress>().empty());
  world.remove<IPPool>("pool");
  world.settle();
  CHECK_FALSE(world.find<IPPool>("pool"));
  world.remove<IPClaim>("a");
  world.settle(1min);
  CHECK(world.answer("a") == "gone");
}

TEST_CASE("a pool in deletion goes after a claim whose address may still be made", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.lost = "/ipaddresses";
  world.create(claimOf("a"));
  world.settle();
  REQUIRE(world.all<OwnAddress>().empty());
  world.remove<IPPool>("pool");
  world.settle();
  REQUIRE(world.find<IPPool>("pool"));
  world.remove<IPClaim>("a");
  world.settle(5min);
  CHECK(world.answer("a") == "gone");
  CHECK_FALSE(world.find<IPPool>("pool"));
}

TEST_CASE("a pool in deletion goes with its last address, whatever it showed just now", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  for (const char* name : {"a", "b"}) world.create(claimOf(name));
  world.settle();
  world.remove<IPPool>("pool");
  for (const char* name : {"a", "b"}) {
    world.remove<IPClaim>(name);
    world.settle(100ms);
  }
  CHECK_FALSE(world.find<IPPool>("pool"));
}

TEST_CASE("everything goes, in whatever order it is deleted", "[ipam][controllers]") {
  Texts order = {"claim", "capi", "pool", "refused"};
  std::ranges::sort(order);
  do {
    CAPTURE(order);
    IpamSite world;
    world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.2")}));
    world.create(claimOf("a"));
    world.create(capiClaimOf("b"));
    world.settle();
    world.create(claimOf("c"));
    world.settle();
    REQUIRE(world.answer("c") == "Exhausted IP Pools");
    for (const auto& what : order) {
      if (what == "claim") world.remove<IPClaim>("a");
      if (what == "capi") world.remove<IPAddressClaim>("b");
      if (what == "refused") world.remove<IPClaim>("c");
      if (what == "pool") world.remove<IPPool>("pool");
      world.loop.clock.advance(50ms);
    }
    world.settle();
    CHECK(world.all<IPClaim>().empty());
    CHECK(world.all<IPAddressClaim>().empty());
    CHECK(world.all<OwnAddress>().empty());
    CHECK(world.all<CapiAddress>().empty());
    CHECK(world.all<IPPool>().empty());
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("an address object whose claim was made to go may go, too", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  const bool addressFirst = GENERATE(false, true);
  if (addressFirst) world.remove<OwnAddress>("net-10-0-0-1");
  world.patch<IPClaim>("a", R"({"metadata":{"finalizers":null}})");
  world.remove<IPClaim>("a");
  world.settle();
  if (!addressFirst) world.remove<OwnAddress>("net-10-0-0-1");
  world.settle();
  CHECK(world.all<OwnAddress>().empty());
  CHECK(world.find<IPPool>("pool")->status.indexes.empty());
}

TEST_CASE("a pool that shows an address outside of its ranges can be deleted", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(addressObject("x", "192.168.9.9"));
  world.settle();
  REQUIRE(world.find<IPPool>("pool")->status.indexes == std::map<std::string, std::string>{{"x", "192.168.9.9"}});
  world.remove<IPPool>("pool");
  world.settle();
  REQUIRE(world.find<IPPool>("pool"));
  world.remove<OwnAddress>("net-192-168-9-9");
  world.settle(5min);
  CHECK_FALSE(world.find<IPPool>("pool"));
}

TEST_CASE("a claim that lost its status finds its address also while that is in deletion", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.remove<OwnAddress>("net-10-0-0-1");
  world.patchStatus<IPClaim>("a", R"({"status":{"address":null}})");
  world.settle(2min);
  CHECK(world.answer("a") == "10.0.0.1");
  world.remove<IPClaim>("a");
  world.settle();
  CHECK(world.all<OwnAddress>().empty());
}

TEST_CASE("a claim that says it has another one's address does not take that along", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  for (const char* name : {"a", "b"}) {
    world.create(claimOf(name));
    world.settle();
  }
  world.patchStatus<IPClaim>("b", R"({"status":{"address":{"name":"net-10-0-0-1"}}})");
  world.remove<IPClaim>("b");
  world.settle();
  CHECK(world.answer("b") == "gone");
  CHECK(world.answer("a") == "10.0.0.1");
  REQUIRE(world.all<OwnAddress>().size() == 1);
  CHECK_FALSE(world.find<OwnAddress>("net-10-0-0-1")->metadata.beingDeleted());
}

TEST_CASE("an address in deletion of an earlier claim of a name goes", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.kill();
  world.remove<OwnAddress>("net-10-0-0-1");
  world.patch<IPClaim>("a", R"({"metadata":{"finalizers":null}})");
  world.remove<IPClaim>("a");
  world.create(claimOf("a"));
  world.start();
  world.settle(2min);
  CHECK(world.answer("a") == "10.0.0.1");
  CHECK(world.breaches().empty());
  const auto addresses = world.all<OwnAddress>();
  REQUIRE(addresses.size() == 1);
  CHECK_FALSE(addresses[0].metadata.beingDeleted());
}
