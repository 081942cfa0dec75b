// spec/ipam.md §11 and §14 on a whole API: what a claim of either kind is told that gets no address, and what is tried
// again.
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

// "False/Reason: message" of a claim of Cluster API.
std::string readyOf(IpamSite& world, const std::string& claim) {
  const auto conditions = world.find<IPAddressClaim>(claim)->status.conditions;
  if (conditions.size() != 1 || conditions[0].type != "Ready") return "";
  return conditions[0].status + "/" + conditions[0].reason + ": " + conditions[0].message;
}

}  // namespace

TEST_CASE("§11 E1-E5 claims of both kinds are told the same", "[ipam][refusals]") {
  struct Row {
    std::string claim, requested, reason, message;
  };
  const auto row = GENERATE(values<Row>({
      {"a", "bogus", "AllocationFailed", "Invalid ipAddress annotation \"bogus\": not a valid IP address"},
      {"kept", "10.0.0.1", "AllocationFailed", "PreAllocation and requested ip address are conflicting"},
      {"a", "10.0.0.2", "AllocationFailed", "Requested IP not available"},
      {"far", "", "AllocationFailed", "Pre-allocated IP out of bounds"},
      {"a", "10.9.9.9", "PoolExhausted", "Exhausted IP Pools"},
      {"late", "", "PoolExhausted", "Exhausted IP Pools"},
  }));
  CAPTURE(row.claim, row.requested);
  // The network's own address is in bounds, and never given out (§7.3).
  auto pool = poolOf({startToEnd("10.0.0.1", "10.0.0.2"), subnetOf("10.1.0.0/32")});
  pool.spec.preAllocations = {{"kept", "10.0.0.2"}, {"far", "10.1.0.0"}};
  IpamSite world;
  world.create(pool);
  world.create(claimOf("first"));
  world.settle();
  REQUIRE(world.answer("first") == "10.0.0.1");
  SECTION("an IPClaim") {
    if (row.requested == "bogus") {  // which its own webhook does not let through (§7.4)
      CHECK_THROWS_WITH(world.create(claimOf(row.claim, row.requested)), Catch::Contains("is not a valid IP address"));
      return;
    }
    world.create(claimOf(row.claim, row.requested));
    world.settle();
    CHECK(world.answer(row.claim) == row.message);
  }
  SECTION("an IPAddressClaim") {
    auto claim = capiClaimOf(row.claim);
    claim.metadata.annotations["ipAddress"] = row.requested;
    world.create(claim);
    world.settle();
    CHECK(readyOf(world, row.claim) == "False/" + row.reason + ": " + row.message);
  }
  world.settle(1min);
  CHECK(world.all<OwnAddress>().size() + world.all<CapiAddress>().size() == 1);
}

TEST_CASE("§11 E6 an IPAddressClaim gets no prefix that is none", "[ipam][refusals]") {
  auto pool = smallPool();
  pool.spec.prefix = -1;
  IpamSite world;
  world.create(pool);
  world.create(capiClaimOf("a"));
  world.settle();
  CHECK(readyOf(world, "a") == "False/AllocationFailed: Invalid prefix value, it must be between 0 and 128");
}

TEST_CASE("§11 E7 an address object that the server refuses is told, and its address stays free", "[ipam][refusals]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.denial = 422;
  world.denials = 2;
  world.create(claimOf("a"));
  world.create(capiClaimOf("b"));
  world.settle();
  CHECK(world.denials == 0);
  CHECK(world.answer("a") == "Failed to create associated IPAddress object");
  CHECK(readyOf(world, "b") == "False/AllocationFailed: Failed to create associated IPAddress object");
  world.settle(10min);
  CHECK(world.answer("a") == "Failed to create associated IPAddress object");
  world.create(claimOf("c"));
  world.settle();
  CHECK(world.answer("c") == "10.0.0.1");
  world.patchStatus<IPClaim>("a", R"({"status":{"errorMessage":null}})");
  world.settle();
  CHECK(world.answer("a") == "10.0.0.2");
  CHECK(world.breaches().empty());
}

TEST_CASE("§13, §14 E8, E9 an address object that cannot be taken away is tried again", "[ipam][refusals]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.writes.clear();
  world.survives = true;
  world.death = IpamSite::Death::before;
  world.dieAtWrite = GENERATE(as<std::size_t>{}, 0, 1, 2);  // its finalizer, the object, the claim's finalizer
  world.remove<IPClaim>("a");
  world.settle(1min);
  CHECK(world.answer("a") == "gone");
  CHECK(world.all<OwnAddress>().empty());
}

TEST_CASE("§11, §13 E8, E9 an address object that may not be taken away is told of on its claim", "[ipam][refusals]") {
  struct Row {
    IpamSite::Broken broken;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{"GET", "/ipaddresses/", 403}, "Failed to get associated IPAddress object"},
      {{"DELETE", "/ipaddresses/", 403}, "Failed to delete associated IPAddress object"},
      {{"DELETE", "/ipaddresses/", 422}, "Failed to delete associated IPAddress object"},
      {{"DELETE", "/ipaddresses/", 500}, "Failed to delete associated IPAddress object"},
  }));
  CAPTURE(row.broken.method, row.broken.status);
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.create(capiClaimOf("b"));
  world.settle();
  const auto objects = std::pair(world.find<IPClaim>("a")->status.address->name,
                                 world.find<IPAddressClaim>("b")->status.addressRef.name);
  if (row.broken.method == "GET") {  // what is not seen is asked for
    world.patch<OwnAddress>(objects.first, R"({"metadata":{"finalizers":null}})");
    world.patch<CapiAddress>(objects.second, R"({"metadata":{"finalizers":null}})");
    world.remove<OwnAddress>(objects.first);
    world.remove<CapiAddress>(objects.second);
    world.settle();
  }
  world.broken = row.broken;
  const std::string before = readyOf(world, "b");
  world.remove<IPClaim>("a");
  world.remove<IPAddressClaim>("b");
  world.settle(20s);
  const bool isAtOnce = row.broken.status != 500;
  CHECK(world.told("AddressNotReleased").size() == (isAtOnce ? 2 : 0));
  world.settle(4min);
  CHECK(world.find<IPClaim>("a")->status.errorMessage == row.message);
  CHECK(readyOf(world, "b") == before);
  const auto told = world.told("AddressNotReleased");
  CHECK(told.size() == 2);
  for (const auto& text : told) {
    CHECK_THAT(text, Catch::StartsWith(row.message + ": "));
    CHECK(text.size() <= 512);
  }
  world.writes.clear();
  world.settle(10min);
  CHECK(count(world.writes, "PATCH") == 0);
  CHECK(world.writes.size() <= 40);  // two objects, each tried once a minute or two
  world.broken.reset();
  world.settle(2min);
  CHECK(world.answer("a") == "gone");
  CHECK(world.capiAnswer("b") == "gone");
  CHECK(world.all<OwnAddress>().size() + world.all<CapiAddress>().size() == 0);
}

TEST_CASE("§14 an API that goes on failing is told of while the claims wait, and no more afterwards",
          "[ipam][refusals]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.broken = {"POST", "/ipaddresses", 500};
  world.create(claimOf("a"));
  world.create(capiClaimOf("b"));
  world.settle(30s);
  CHECK(world.told("WaitingForAddress").empty());
  CHECK(world.capiAnswer("b").empty());
  world.settle(2min);
  CHECK(world.told("WaitingForAddress").size() == 2);
  CHECK_THAT(world.capiAnswer("b"), Catch::StartsWith("the API fails: "));
  CHECK(world.capiAnswer("b").size() <= 512);
  CHECK(world.answer("a").empty());  // whoever reads an error there takes it as final
  world.settle(30min);
  CHECK(world.told("WaitingForAddress").size() == 2);
  world.broken.reset();
  world.settle(2min);
  CHECK(world.answer("a").starts_with("10.0.0."));
  CHECK(readyOf(world, "b") == "True/Ready: ");
  CHECK(world.breaches().empty());
}

TEST_CASE("§9 an API that goes on failing is told of on the pool, once in the same words", "[ipam][refusals]") {
  IpamSite world;
  world.broken = {"PATCH", "/ippools/", 500};
  world.create(smallPool());
  world.settle(45s);
  CHECK(world.told("ApiFails").empty());
  world.settle(3min);
  REQUIRE(world.told("ApiFails").size() == 1);
  CHECK_THAT(world.told("ApiFails")[0], Catch::StartsWith("the API fails: "));
  CHECK(world.told("ApiFails")[0].size() <= 1'100);
  world.settle(30min);
  CHECK(world.told("ApiFails").size() == 1);
  world.broken.reset();
  world.settle(2min);
  CHECK_FALSE(world.find<IPPool>("pool")->metadata.finalizers.empty());
  world.broken = {"PATCH", "/ippools/", 500};
  world.patch<IPPool>("pool", R"({"spec":{"preAllocations":{"a":"10.0.0.2"}}})");
  world.create(claimOf("b"));
  world.settle(45s);
  CHECK(world.told("ApiFails").size() == 1);
}

TEST_CASE("§14 an API that fails for a moment now and then is not told of", "[ipam][refusals]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  for (const char* name : {"a", "b", "c"}) {
    world.denial = 500;
    world.denials = 3;
    world.create(claimOf(name));
    world.settle(45s);
    CHECK(world.denials == 0);
    world.settle(1min);
    world.broken = {"DELETE", "/ipaddresses/", 500};
    world.remove<IPClaim>(name);
    world.settle(20s);
    world.broken.reset();
    world.settle(1min);
    CHECK(world.answer(name) == "gone");
  }
  CHECK(world.told("WaitingForAddress").empty());
  CHECK(world.told("AddressNotReleased").empty());
}

TEST_CASE("a refusal is known beside the conditions of others", "[ipam][controllers]") {
  IpamSite world;
  world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.1")}));
  world.create(claimOf("a"));
  world.settle();
  world.create(capiClaimOf("c"));
  world.settle();
  world.writes.clear();
  world.patchStatus<IPAddressClaim>("c", R"({"status":{"conditions":[
      {"type":"Paused","status":"False","reason":"NotPaused","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
      {"type":"Ready","status":"False","reason":"PoolExhausted","message":"Exhausted IP Pools",
       "lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
  world.settle(1min);
  CHECK(count(world.writes, "/ipaddressclaims/") == 0);
}
