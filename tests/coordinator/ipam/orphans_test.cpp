// Address objects that nobody has any more, or that somebody else has made (spec/ipam.md §12–§14).
#include "coordinator/ipam/naming.hpp"
#include "kube/core/event.hpp"
#include "kube/core/object_reference.hpp"
#include "tests/coordinator/ipam/world.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

void makeGo(IpamSite& world, const std::string& claim) {
  world.patch<IPClaim>(claim, R"({"metadata":{"finalizers":null}})");
  world.remove<IPClaim>(claim);
}

Texts reasons(IpamSite& world) {
  Texts all;
  for (const auto& event : world.all<kube::Event>()) all.push_back(event.reason);
  return all;
}

}  // namespace

TEST_CASE("an address whose claim was made to go returns to its pool, and the pool can be deleted", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  makeGo(world, "a");
  if (GENERATE(false, true)) world.restart();
  world.settle(2min);
  CHECK(world.all<OwnAddress>().empty());
  world.remove<IPPool>("pool");
  world.settle();
  CHECK_FALSE(world.find<IPPool>("pool"));
}

TEST_CASE("an address that was made by hand for a claim to come stays", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(addressObject("later", "10.0.0.2"));
  world.settle(10min);
  world.create(claimOf("later"));
  world.settle();
  CHECK(world.answer("later") == "10.0.0.2");
}

TEST_CASE("an address that is made late, after its claim has been served and deleted, is nobody's for long",
          "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.holdsNext = true;
  world.create(claimOf("a"));
  world.settle();
  REQUIRE(world.answer("a") == "10.0.0.1");
  const bool dies = GENERATE(false, true);
  if (dies) world.restart();
  world.settle();
  world.remove<IPClaim>("a");
  world.settle();
  world.arrives();
  world.settle(3min);
  CHECK(world.answer("a") == "gone");
  CHECK(world.all<OwnAddress>().empty());
}

TEST_CASE("an address can be deleted whatever its claim is said to be called", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  auto address = addressObject("a,b", "10.0.0.2");
  address.metadata.finalizers = {std::string(api::ipam::finalizer::address)};
  world.create(address);
  world.settle();
  world.remove<OwnAddress>("net-10-0-0-2");
  world.settle(2min);
  CHECK(world.all<OwnAddress>().empty());
}

TEST_CASE("a claim that takes over the address of an earlier one of its name owns it", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  makeGo(world, "a");
  world.create(claimOf("a"));
  world.settle(3min);
  CHECK(world.answer("a") == "10.0.0.1");
  const auto addresses = world.all<OwnAddress>();
  REQUIRE(addresses.size() == 1);
  CHECK(addresses[0].metadata.ownedBy(world.find<IPClaim>("a")->metadata.uid));
  CHECK(addresses[0].metadata.ownerReferences.size() == 2);
}

TEST_CASE("a claim of Cluster API is told that it is ready also by the process that comes after its address",
          "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.writes.clear();
  world.dieAtWrite = 1;  // the address object
  world.death = IpamSite::Death::after;
  world.create(capiClaimOf("a"));
  world.settle();
  REQUIRE(world.writes.at(1).starts_with("POST"));
  world.restart();
  world.settle();
  const auto claim = *world.find<IPAddressClaim>("a");
  REQUIRE(claim.status.conditions.size() == 1);
  CHECK(claim.status.conditions[0].status == "True");
}

TEST_CASE("§14 an address whose name another pool's object has is passed over while that is there", "[ipam][orphans]") {
  IpamSite world;
  world.create(addressObject("x", "10.0.0.1", "other"));
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.2");
  CHECK(reasons(world) == Texts{"AddressNameTaken"});
  CHECK(world.all<kube::Event>()[0].message ==
        "another IPAddress is called net-10-0-0-1: address 10.0.0.1 of pool pool is passed over while it is there");
  world.remove<OwnAddress>("net-10-0-0-1");
  world.settle();
  world.create(claimOf("b"));
  world.settle();
  CHECK(world.answer("b") == "10.0.0.1");
}

TEST_CASE("the last address of a pool whose name is taken is waited for, and not refused", "[ipam][orphans]") {
  IpamSite world;
  world.create(addressObject("x", "10.0.0.1", "other"));
  world.create(poolOf({startToEnd("10.0.0.1", "10.0.0.2")}));
  world.create(claimOf("a"));
  world.settle();
  REQUIRE(world.answer("a") == "10.0.0.2");
  world.create(claimOf("b"));
  world.create(capiClaimOf("c"));
  world.create(claimOf("d", "10.0.0.1"));
  world.settle();
  for (const char* waits : {"b", "d"}) CHECK(world.answer(waits).empty());
  CHECK(world.capiAnswer("c") ==
        "10.0.0.1 of pool pool is free, but the name that its IPAddress would have is another one's");
  world.remove<IPClaim>("d");
  world.remove<OwnAddress>("net-10-0-0-1");
  world.settle(2min);
  CHECK((world.answer("b") == "10.0.0.1" || world.capiAnswer("c") == "10.0.0.1"));
}

TEST_CASE("a claim that cannot do without the address whose name is taken waits for it, and says so",
          "[ipam][orphans]") {
  IpamSite world;
  world.create(addressObject("x", "10.0.0.1", "other"));
  world.create(smallPool());
  world.create(claimOf("a", "10.0.0.1"));
  world.settle();
  CHECK(world.answer("a").empty());
  CHECK(reasons(world) == Texts{"WaitingForAddress"});
  world.remove<OwnAddress>("net-10-0-0-1");
  world.settle(2min);
  CHECK(world.answer("a") == "10.0.0.1");
}

TEST_CASE("the twin of a claim for which an address is kept says why it waits", "[ipam][orphans]") {
  IpamSite world;
  auto pool = smallPool();
  pool.spec.preAllocations = {{"a", "10.0.0.1"}};
  world.create(pool);
  world.create(claimOf("a"));
  world.settle();
  world.create(capiClaimOf("a"));
  world.settle();
  CHECK(world.capiAnswer("a") == "10.0.0.1 is kept for it, and somebody else has it");
  CHECK(world.find<IPAddressClaim>("a")->status.conditions[0].reason == "WaitingForAddress");
  world.remove<IPClaim>("a");
  world.settle(2min);
  CHECK(world.capiAnswer("a") == "10.0.0.1");
}

TEST_CASE("§14 a quota, and a kind that is being installed, end: the claim waits for them", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.denial = GENERATE(403, 404);
  world.denials = 2;
  world.create(claimOf("a"));
  world.settle(10ms);
  CHECK(world.answer("a").empty());
  world.settle(1min);
  CHECK_THAT(world.all<kube::Event>().at(0).message, Catch::Matchers::StartsWith("its IPAddress was refused: "));
  CHECK(world.answer("a") == "10.0.0.1");
}

TEST_CASE("§14 a claim whose address was refused is served by what its pool is by then", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.denial = GENERATE(403, 404);
  world.denials = 1'000'000;
  world.create(claimOf("a"));
  world.settle();
  world.patch<IPPool>("pool", R"({"spec":{"preAllocations":{"b":"10.0.0.1"}}})");
  world.denials = 0;
  world.settle(2min);
  CHECK(world.answer("a") == "10.0.0.2");
}

TEST_CASE("an address whose object cannot be read is still in use", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.kill();
  world.patch<OwnAddress>("net-10-0-0-1", R"({"metadata":{"finalizers":null}})");
  world.remove<OwnAddress>("net-10-0-0-1");
  world.unreadable.add("ipaddresses.ipam.metal3.io", {"metal", "net-10-0-0-1"});
  world.start();
  world.create(claimOf("b"));
  world.settle();
  CHECK(world.answer("b") == "10.0.0.2");
}

TEST_CASE("an address of Cluster API's kind whose object cannot be read is still in use", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(capiClaimOf("a"));
  world.settle();
  REQUIRE(world.capiAnswer("a") == "10.0.0.1");
  world.kill();
  world.patch<CapiAddress>("net-10-0-0-1", R"({"metadata":{"finalizers":null}})");
  world.remove<CapiAddress>("net-10-0-0-1");
  world.unreadable.add("ipaddresses.ipam.cluster.x-k8s.io", {"metal", "net-10-0-0-1"});
  world.start();
  world.create(claimOf("b"));
  world.settle();
  CHECK(world.answer("b") == "10.0.0.2");
}

TEST_CASE("an address that only its pool tells of stays in use, and is shown", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  auto odd = addressObject("x", "10.0.0.1");
  odd.metadata.name = "mine";
  world.create(odd);
  world.settle();
  world.kill();
  world.remove<OwnAddress>("mine");
  world.unreadable.add("ipaddresses.ipam.metal3.io", {"metal", "mine"});
  world.start();
  world.create(claimOf("b"));
  world.settle(1min);
  CHECK(world.answer("b") == "10.0.0.2");
  world.restart();
  world.create(claimOf("c"));
  world.settle(1min);
  CHECK(world.answer("c") == "10.0.0.3");
  CHECK(world.find<IPPool>("pool")->status.indexes ==
        std::map<std::string, std::string>{{"b", "10.0.0.2"}, {"c", "10.0.0.3"}, {"x", "10.0.0.1"}});
}

TEST_CASE("an address in deletion stays as long as its claim is there, also when its pool is another's",
          "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.watchFilter = "ours";  // not of this pool
  world.restart();
  world.remove<OwnAddress>("net-10-0-0-1");
  world.settle(1min);
  CHECK(world.find<OwnAddress>("net-10-0-0-1"));
  makeGo(world, "a");
  world.settle(15min);
  CHECK_FALSE(world.find<OwnAddress>("net-10-0-0-1"));
}

TEST_CASE("an address whose pool is another's business is asked for seldom", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.watchFilter = "ours";
  world.restart();
  world.settle(5min);
  const int before = world.passes("ipclaim-addresses");
  world.settle(1h);
  CHECK(world.passes("ipclaim-addresses") - before <= 6);
  CHECK(world.answer("a") == "10.0.0.1");
}

TEST_CASE("an address that lost its claim while its pool rested returns to it afterwards", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.patch<IPPool>("pool", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  // So that no garbage collector writes to it when its claim goes.
  const auto pool = kube::ownerReferenceTo(*world.find<IPPool>("pool"), false);
  world.patch<OwnAddress>("net-10-0-0-1", fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"{}",)"
                                                      R"("kind":"IPPool","name":"pool","uid":"{}"}}]}}}})",
                                                      pool.apiVersion, pool.uid));
  if (GENERATE(false, true)) world.restart();  // no claim has asked for the pool's book since
  world.settle();
  makeGo(world, "a");
  world.settle(5min);
  REQUIRE(world.all<OwnAddress>().size() == 1);
  world.patch<IPPool>("pool", R"({"metadata":{"annotations":null}})");
  world.settle(3min);
  CHECK(world.all<OwnAddress>().empty());
  world.remove<IPPool>("pool");
  world.settle();
  CHECK_FALSE(world.find<IPPool>("pool"));
}

TEST_CASE("an address whose claim no cache shows yet keeps it, and stays in deletion, too", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.kill();
  world.heldWatch = "/ipclaims";
  world.watchHeldFor = 1h;
  world.start();
  world.settle();
  world.holdsLists = true;
  world.create(claimOf("a"));
  auto address = addressObject("a", "10.0.0.1");
  address.metadata.finalizers = {"ipaddress.ipam.metal3.io"};
  address.metadata.ownerReferences = {kube::ownerReferenceTo(*world.find<IPPool>("pool"), false),
                                      kube::ownerReferenceTo(*world.find<IPClaim>("a"), false)};
  world.create(address);
  const bool isLeaving = GENERATE(false, true);
  if (isLeaving) world.remove<OwnAddress>("net-10-0-0-1");
  world.settle(5min);
  REQUIRE(world.find<OwnAddress>("net-10-0-0-1"));
  CHECK(world.find<OwnAddress>("net-10-0-0-1")->metadata.beingDeleted() == isLeaving);
}

TEST_CASE("an address whose claim cannot be read keeps it", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.kill();
  makeGo(world, "a");
  world.unreadable.add("ipclaims.ipam.metal3.io", {"metal", "a"});
  world.start();
  world.settle(10min);
  CHECK(world.all<OwnAddress>().size() == 1);
}

TEST_CASE("a claim whose pool cannot be read is not let go past that pool", "[ipam][orphans]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimOf("a"));
  world.settle();
  world.kill();
  world.patch<IPPool>("pool", R"({"metadata":{"finalizers":null}})");
  world.remove<IPPool>("pool");  // no list shows it any more
  world.unreadable.add("ippools.ipam.metal3.io", {"metal", "pool"});
  world.start();
  world.remove<IPClaim>("a");
  world.settle();
  CHECK(world.find<IPClaim>("a"));  // whether the pool is paused is not known
  world.create(smallPool());        // it can be read again
  world.settle();
  CHECK_FALSE(world.find<IPClaim>("a"));
  CHECK(world.all<OwnAddress>().empty());
}

TEST_CASE("a range with an address in use stays, also when its pool does not show that address", "[ipam]") {
  IpamSite world;
  world.create(smallPool());
  world.settle();
  world.kill();
  world.create(addressObject("a", "10.0.0.3"));
  REQUIRE(world.find<IPPool>("pool")->status.indexes.empty());
  CHECK_THROWS_WITH(world.patch<IPPool>("pool", R"({"spec":{"pools":[{"start":"10.0.0.1","end":"10.0.0.2"}]}})"),
                    Catch::Matchers::Contains("is in use but out of bounds of the pools given"));
  world.patch<IPPool>("pool", R"({"spec":{"pools":[{"start":"10.0.0.2","end":"10.0.0.4"}]}})");
}

TEST_CASE("the name of an address object tells its address", "[ipam][orphans]") {
  using coordinator::ipam::addressIn;
  using coordinator::ipam::addressName;
  for (const std::string text : {"10.0.0.1", "2001:db8::5", "fd00::", "::1", "1:2:3:4:5:6:7:8"})
    CHECK(addressIn("net", addressName("net", text)) == text);
  CHECK_FALSE(addressIn("net", "other-10-0-0-1"));
  CHECK_FALSE(addressIn("net", "net"));
  CHECK_FALSE(addressIn("net", "net-10-0-0"));
  CHECK_FALSE(addressIn("net", "net-mine"));
}
