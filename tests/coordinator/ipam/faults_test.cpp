// Writes that are lost, or meet somebody else's: the end is the same (spec/ipam.md).
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

// A life of two claims and their pool, up to `stage`.
void act(IpamSite& world, int stage) {
  if (stage == 0) {
    world.create(claimOf("a"));
    world.create(capiClaimOf("a"));
    world.create(claimOf("c"));
    world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.2")}));
  } else if (stage == 1) {
    world.remove<IPClaim>("a");
    world.remove<IPAddressClaim>("a");
  } else {
    world.remove<IPClaim>("c");
    world.remove<IPPool>("pool");
  }
}

constexpr std::array<std::size_t, 3> kFewestWrites = {10, 5, 5};  // of each stage

}  // namespace

TEST_CASE("whichever write is lost, and whether the process dies with it, the end is the same",
          "[ipam][controllers][faults]") {
  const bool survives = GENERATE(false, true);
  const auto death = GENERATE(IpamSite::Death::before, IpamSite::Death::after);
  for (int stage = 0; stage < 3; ++stage) {
    bool reached = true;
    std::size_t met = 0;
    for (std::size_t which = 0; reached; ++which) {
      CAPTURE(survives, static_cast<int>(death), stage, which);
      IpamSite world;
      for (int before = 0; before < stage; ++before) act(world, before), world.settle();
      world.writes.clear();
      world.survives = survives;
      world.death = death;
      world.dieAtWrite = which;
      act(world, stage);
      world.settle(survives ? 2min : 2s);
      reached = world.writes.size() > which;
      if (reached) ++met;
      CHECK(world.brokeAWrite == reached);
      CHECK(world.dead == (reached && !survives));
      if (!survives) world.restart(), world.settle();
      CHECK(world.breaches().empty());
      if (stage == 0) {
        // two of three have an address, the third was told that there is none
        const Texts answers = {world.answer("a"), world.capiAnswer("a"), world.answer("c")};
        CHECK(count(answers, "10.0.0.") == 2);
        CHECK(count(answers, "Exhausted IP Pools") == 1);
        CHECK(world.all<OwnAddress>().size() + world.all<CapiAddress>().size() == 2);
      }
      if (stage == 1) {
        CHECK(world.answer("a") == "gone");
        CHECK(world.capiAnswer("a") == "gone");
        CHECK(world.all<CapiAddress>().empty());
      }
      if (stage == 2) {
        CHECK(world.all<IPAddressClaim>().empty());
        CHECK(world.all<CapiAddress>().empty());
        CHECK(world.all<IPClaim>().empty());
        CHECK(world.all<OwnAddress>().empty());
        CHECK(world.all<IPPool>().empty());
      }
    }
    CHECK(met >= kFewestWrites.at(static_cast<std::size_t>(stage)));
  }
}

TEST_CASE("§14 a claim that somebody else writes to at the same time gets its address all the same",
          "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.writes.clear();
  world.meddling = 3;
  world.create(claimOf("a"));
  world.settle(10s);
  CHECK(world.conflicts == 3);
  CHECK(world.answer("a") == "10.0.0.1");
  CHECK(world.find<OwnAddress>("net-10-0-0-1")->metadata.labels == world.find<IPClaim>("a")->metadata.labels);
  CHECK(world.breaches().empty());
  CHECK(world.writes.size() <= 8);  // three more than otherwise, and the pool may show it in two steps
}

TEST_CASE("§11 what a claim requests counts until its address object is asked for", "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.writes.clear();
  world.survives = true;
  world.dieAtWrite = 0;  // the finalizer: the address is decided on by then
  world.create(claimOf("a"));
  world.loop.clock.advance(1ms);
  REQUIRE(world.writes.size() == 1);
  world.patch<IPClaim>("a", R"({"metadata":{"annotations":{"ipAddress":"10.0.0.3"}}})");
  world.settle();
  CHECK(world.answer("a") == "10.0.0.3");
  world.create(claimOf("b"));
  world.settle();
  CHECK(world.answer("b") == "10.0.0.1");
  CHECK(world.breaches().empty());
}

TEST_CASE("§11 a claim whose address could not be made is served by what its pool is by then",
          "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.denial = GENERATE(429, 500, 503);
  world.denials = 1'000'000;
  world.create(claimOf("a"));
  world.settle(5min);
  world.patch<IPPool>("pool", R"({"spec":{"pools":[{"start":"10.0.1.1","end":"10.0.1.3"}],"gateway":"10.0.1.9",
                                          "prefix":26}})");
  world.settle(5min);
  world.denials = 0;
  world.settle(3min);
  CHECK(world.answer("a") == "10.0.1.1");
  const auto all = world.all<OwnAddress>();
  REQUIRE(all.size() == 1);
  CHECK(all[0].spec.gateway == "10.0.1.9");
  CHECK(all[0].spec.prefix == 26);
}

TEST_CASE("an address that may still be made stays its claim's, whatever claim and pool are by then",
          "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.holdsNext = true;
  world.denial = 503;
  world.denials = 2;
  world.create(claimOf("a"));
  world.loop.clock.advance(1ms);
  REQUIRE_FALSE(world.holdsNext);
  world.patch<IPClaim>("a", R"({"metadata":{"annotations":{"ipAddress":"10.0.0.3"}}})");
  world.settle();
  world.create(capiClaimOf("b"));
  world.settle();
  CHECK(world.capiAnswer("b") == "10.0.0.2");
  world.arrives();
  world.settle(2min);
  CHECK(world.answer("a") == "10.0.0.1");
  CHECK(world.breaches().empty());
}

TEST_CASE("a claim made anew under its name does not take what was meant for the one before",
          "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.writes.clear();
  world.survives = true;
  world.dieAtWrite = 0;  // the finalizer: the address is decided on by then
  world.create(claimOf("a"));
  world.loop.clock.advance(1ms);
  world.remove<IPClaim>("a");
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
  const auto addresses = world.all<OwnAddress>();
  REQUIRE(addresses.size() == 1);
  CHECK(addresses[0].metadata.ownedBy(world.find<IPClaim>("a")->metadata.uid));
}

TEST_CASE("a claim whose address may still be made is not let go before", "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.lost = "/ipaddresses";
  world.create(claimOf("a"));
  world.loop.clock.advance(1ms);
  world.remove<IPClaim>("a");
  world.settle(30s);
  CHECK(world.answer("a") != "gone");
  world.settle(1min);
  CHECK(world.answer("a") == "gone");
  CHECK(world.all<OwnAddress>().empty());
}

TEST_CASE("a denial after a lost answer leaves the address to the claim: it may be made yet",
          "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.holdsNext = true;
  world.denials = 3;
  world.create(claimOf("a"));
  world.settle();
  REQUIRE_FALSE(world.holdsNext);
  REQUIRE(world.denials == 0);
  world.create(capiClaimOf("b"));  // whose objects no name keeps apart from it
  world.settle();
  world.arrives();
  world.settle(2min);
  CHECK(world.answer("a") == "10.0.0.1");
  CHECK(world.capiAnswer("b") == "10.0.0.2");
  CHECK(world.breaches().empty());
}

TEST_CASE("a refusal after a lost answer leaves the address to the claim, until nothing may be made any more",
          "[ipam][controllers][faults]") {
  const int status = GENERATE(400, 413, 422);
  const bool isLifted = GENERATE(true, false);
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.holdsNext = true;
  world.denials = isLifted ? 3 : 1000;
  world.denial = status;
  world.create(claimOf("a"));
  world.settle();
  REQUIRE_FALSE(world.holdsNext);
  if (!isLifted) {
    CHECK(world.answer("a").empty());
    world.settle(5min);
    CHECK_THAT(world.answer("a"), Catch::Contains("Failed to create associated IPAddress object"));
    world.denials = 0;
    world.create(capiClaimOf("b"));
    world.settle();
    CHECK(world.capiAnswer("b") == "10.0.0.1");
    return;
  }
  REQUIRE(world.denials == 0);
  world.create(capiClaimOf("b"));
  world.settle();
  world.arrives();
  world.settle(2min);
  CHECK(world.answer("a") == "10.0.0.1");
  CHECK(world.capiAnswer("b") == "10.0.0.2");
  CHECK(world.breaches().empty());
}

TEST_CASE("an address that two objects hold is told of on both", "[ipam][controllers][faults]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.dieAtWrite = world.writes.size() + 1;  // after its finalizer comes its address
  world.death = IpamSite::Death::late;
  world.create(claimOf("a"));
  world.settle();
  REQUIRE(world.writes.back().starts_with("POST"));
  REQUIRE(world.all<OwnAddress>().empty());
  world.kill();
  world.patch<api::ipam::IPClaim>("a", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  world.create(capiClaimOf("b"));
  world.start();
  world.settle();
  REQUIRE(world.capiAnswer("b") == "10.0.0.1");
  REQUIRE(world.told("AddressHeldTwice").empty());
  world.arrives();
  world.settle();
  const auto told = world.told("AddressHeldTwice");
  REQUIRE(told.size() == 2);
  for (const auto& text : told) CHECK_THAT(text, Catch::Contains("10.0.0.1 of pool pool is held by 2 IPAddresses: "));
  world.restart();  // where it is found in a list
  world.settle();
  CHECK(world.told("AddressHeldTwice").size() > 2);
}
