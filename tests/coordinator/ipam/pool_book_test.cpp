// What a pool answers to a claim (spec/ipam.md §8, §11).
#include "coordinator/ipam/pool_book.hpp"

#include "tests/coordinator/ipam/builders.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::ipam;
using namespace ingot::tests;

namespace {

struct Desk {
  explicit Desk(const api::ipam::IPPool& pool) : book(pool) {}

  // The address, or the refusal's message, or "taken".
  std::string give(const std::string& claim, const std::string& requested = "", ClaimKind kind = ClaimKind::metal3) {
    const Answer answer = book.allocate({.claim = {kind, claim}, .address = requested}, *random);
    if (const auto* grant = std::get_if<Grant>(&answer)) return grant->address.text();
    if (const auto* refused = std::get_if<Refused>(&answer)) return refused->message();
    return "taken";
  }

  PoolBook book;
  std::unique_ptr<base::Random> random = base::seededRandom(7);
};

api::ipam::IPAddress existing(std::string name, std::string claim, std::string address) {
  api::ipam::IPAddress object;
  object.metadata = {.name = std::move(name), .namespace_ = "metal"};
  object.spec.pool.name = "pool";
  object.spec.claim.name = std::move(claim);
  object.spec.address = std::move(address);
  return object;
}

}  // namespace

TEST_CASE("§11 (4), E5 addresses are given in order, range after range, until none is left", "[ipam]") {
  Desk desk(poolOf({startToEnd("10.0.0.1", "10.0.0.2"), startToEnd("fd00::9", "fd00::9")}));
  CHECK(desk.give("a") == "10.0.0.1");
  CHECK(desk.give("b") == "10.0.0.2");
  CHECK(desk.give("c") == "fd00::9");
  CHECK(desk.give("d") == "Exhausted IP Pools");
  CHECK(desk.book.inUse() == 3);
}

TEST_CASE("a book that follows its pool is as one that is made anew for it", "[ipam]") {
  const auto random = base::seededRandom(11);
  const auto text = [&] { return random->below(20) == 0 ? "nonsense" : fmt::format("10.0.0.{}", random->below(20)); };
  const auto anyPool = [&](const api::ipam::IPPool& before) {
    auto pool = before;
    pool.spec.pools.clear();
    for (std::uint64_t i = random->below(3); i > 0; --i) {
      const auto first = random->below(20);
      pool.spec.pools.push_back(
          startToEnd(fmt::format("10.0.0.{}", first), fmt::format("10.0.0.{}", first + random->below(6))));
    }
    pool.spec.preAllocations.clear();
    for (std::uint64_t i = random->below(4); i > 0; --i)
      pool.spec.preAllocations[fmt::format("c{}", random->below(12))] = text();
    pool.spec.prefix = static_cast<int>(random->below(32));
    if (random->below(10) == 0) pool.metadata.deletionTimestamp = base::WallTime{};
    return pool;
  };
  for (int round = 0; round < 200; ++round) {
    auto pool = anyPool(smallPool());
    PoolBook book(pool);
    std::vector<api::ipam::IPAddress> objects;
    for (int step = 0; step < 12; ++step) {
      if (random->below(2) == 0) {
        objects.push_back(existing(fmt::format("o{}", objects.size()), fmt::format("c{}", random->below(12)), text()));
        book.add(objects.back());
      } else if (!objects.empty() && random->below(3) == 0) {
        book.remove(objects.back());
        objects.pop_back();
      }
      pool.metadata.deletionTimestamp.reset();
      pool = anyPool(pool);
      book.follow(pool);
    }
    Desk followed(pool), fresh(pool);
    followed.book = std::move(book);
    for (const auto& object : objects) fresh.book.add(object);
    INFO("round " << round);
    CHECK(followed.book.indexes() == fresh.book.indexes());
    CHECK(followed.book.inUse() == fresh.book.inUse());
    for (int i = 0; i < 26; ++i) {
      const std::string address = fmt::format("10.0.0.{}", i);
      CHECK(followed.book.isInUse(address) == fresh.book.isInUse(address));
    }
    for (int i = 0; i < 14; ++i) {
      const std::string claim = fmt::format("c{}", i), requested = i % 3 == 0 ? fmt::format("10.0.0.{}", i) : "";
      CHECK(followed.give(claim, requested) == fresh.give(claim, requested));
    }
  }
}

TEST_CASE("a pool that is to go, or names its addresses otherwise, avoids none any more", "[ipam]") {
  auto pool = smallPool();
  Desk desk(pool);
  desk.book.avoid({ClaimKind::metal3, "net-10-0-0-1"}, base::IpAddress::parse("10.0.0.1").value());
  desk.book.follow(pool);
  CHECK(desk.give("a") == "10.0.0.2");
  const bool isLeaving = GENERATE(true, false);
  if (isLeaving)
    pool.metadata.deletionTimestamp = base::WallTime{};
  else
    pool.spec.namePrefix = "other";
  desk.book.follow(pool);
  CHECK(desk.book.inUse() == 1);
  desk.book.avoidNoMore({ClaimKind::metal3, "net-10-0-0-1"});
  CHECK(desk.book.inUse() == 1);
  CHECK(desk.give("b") == "10.0.0.1");
}

TEST_CASE("a kept address that is passed over is had by nobody", "[ipam]") {
  auto pool = smallPool();
  pool.spec.preAllocations["kept"] = "10.0.0.1";
  PoolBook book(pool);
  const auto random = base::seededRandom(1);
  const auto askFor = [&] { return book.allocate({{ClaimKind::metal3, "kept"}, ""}, *random); };
  const auto address = *base::IpAddress::parse("10.0.0.1");
  book.avoid({ClaimKind::metal3, "net-10-0-0-1"}, address);
  CHECK(std::get<NameTaken>(askFor()).address == address);
  book.add(existing("net-10-0-0-1", "somebody", "10.0.0.1"));
  CHECK(std::get<Taken>(askFor()).address == address);
}

TEST_CASE("60,000 claims change the book 60,000 times, and those that are known already not at all", "[ipam]") {
  Desk desk(poolOf({subnetOf("10.0.0.0/8")}));
  for (int i = 0; i < 60'000; ++i) static_cast<void>(desk.give(fmt::format("c{}", i)));
  CHECK(desk.book.version() == 60'000);
  CHECK(desk.book.inUse() == 60'000);
  for (int i = 0; i < 60'000; ++i) {
    const std::string claim = fmt::format("c{}", i);
    const std::string address = *desk.book.addressOf({ClaimKind::metal3, claim});
    desk.book.add(existing(desk.book.objectsOf({ClaimKind::metal3, claim}).at(0), claim, address));
  }
  CHECK(desk.book.version() == 60'000);
}

TEST_CASE("§11 (4), §19 prefix, gateway and DNS servers come from the range, else from the pool", "[ipam]") {
  auto first = startToEnd("10.0.0.1", "10.0.0.1");
  first.prefix = 25;
  first.gateway = "10.0.0.9";
  auto pool = poolOf({first, startToEnd("10.0.1.1", "10.0.1.1")});
  pool.spec.prefix = 24;
  pool.spec.gateway = "10.0.1.254";
  pool.spec.dnsServers = {"9.9.9.9"};
  Desk desk(pool);
  const auto grantFor = [&](const char* claim) {
    return std::get<Grant>(desk.book.allocate({.claim = {ClaimKind::metal3, claim}, .address = ""}, *desk.random));
  };
  CHECK(grantFor("a") == Grant{*base::IpAddress::parse("10.0.0.1"), 25, "10.0.0.9", {"9.9.9.9"}});
  CHECK(grantFor("b") == Grant{*base::IpAddress::parse("10.0.1.1"), 24, "10.0.1.254", {"9.9.9.9"}});
}

// As the ip-address-manager does (spec/ipam.md §18, hazard 11).
TEST_CASE("§18 hazard 11 gateways and DNS servers within a range are given out like any other address", "[ipam]") {
  auto first = startToEnd("10.0.0.1", "10.0.0.2");
  first.gateway = "10.0.0.1";
  auto pool = poolOf({first, startToEnd("10.0.1.1", "10.0.1.2")});
  pool.spec.gateway = "10.0.1.1";
  pool.spec.dnsServers = {"10.0.1.2"};
  Desk desk(pool);
  CHECK(desk.give("asks", "10.0.0.1") == "10.0.0.1");
  CHECK(desk.give("b") == "10.0.0.2");
  CHECK(desk.give("c") == "10.0.1.1");
  CHECK(desk.give("d") == "10.0.1.2");
}

TEST_CASE("§11 (4), §18 hazard 2, §19 a pre-allocated address is kept for its claim, however it is written", "[ipam]") {
  auto pool = poolOf({startToEnd("fd00::1", "fd00::3")});
  pool.spec.preAllocations = {{"mine", "fd00:0::0001"}};
  Desk desk(pool);
  CHECK(desk.give("other") == "fd00::2");
  CHECK(desk.give("thief", "fd00::1") == "Requested IP not available");
  CHECK(desk.give("mine") == "fd00::1");
  desk.book.release({ClaimKind::metal3, "mine"});
  CHECK(desk.give("third") == "fd00::3");
  CHECK(desk.give("mine") == "fd00::1");
}

TEST_CASE("§18 hazard 6 a kept address that somebody else has is not given twice", "[ipam]") {
  auto pool = poolOf({startToEnd("10.0.0.1", "10.0.0.9")});
  pool.spec.preAllocations = {{"mine", "10.0.0.2"}};
  Desk desk(pool);
  const auto thief = existing("made-by-hand", "thief", "10.0.0.2");
  desk.book.add(thief);
  CHECK(desk.give("mine") == "taken");
  desk.book.remove(thief);
  CHECK(desk.give("mine") == "10.0.0.2");
}

TEST_CASE("of two claims that one address is kept for the first gets it, and the other waits", "[ipam]") {
  auto pool = poolOf({startToEnd("fd00::1", "fd00::9")});
  pool.spec.preAllocations = {{"a", "fd00::2"}, {"b", "fd00::0002"}};
  Desk desk(pool);
  CHECK(desk.give("b") == "fd00::2");
  CHECK(desk.give("a") == "taken");
  CHECK(desk.give("c") == "fd00::1");
  CHECK(desk.give("d") == "fd00::3");
  desk.book.release({ClaimKind::metal3, "b"});
  CHECK(desk.give("a") == "fd00::2");
  CHECK(desk.give("b") == "taken");
}

TEST_CASE("§11 E1, E3, E5, §19 a requested address is given, refused, or unknown", "[ipam]") {
  Desk desk(poolOf({startToEnd("10.0.0.1", "10.0.0.4"), startToEnd("10.1.0.1", "10.1.0.4")}));
  CHECK(desk.give("a", "10.1.0.2") == "10.1.0.2");
  CHECK(desk.give("b", "::ffff:10.1.0.2") == "Requested IP not available");
  CHECK(desk.give("c", "10.2.0.1") == "Exhausted IP Pools");
  CHECK(desk.give("d", "10.0.0.1/24") == "Invalid ipAddress annotation \"10.0.0.1/24\": not a valid IP address");
}

TEST_CASE("§11 E2, E4 annotation and pre-allocation must not contradict each other", "[ipam]") {
  auto pool = poolOf({startToEnd("10.0.0.1", "10.0.0.4")});
  pool.spec.preAllocations = {{"a", "10.0.0.3"}, {"far", "10.9.0.1"}, {"bad", "bogus"}};
  Desk desk(pool);
  CHECK(desk.give("a", "10.0.0.2") == "PreAllocation and requested ip address are conflicting");
  CHECK(desk.give("a", "10.0.0.3") == "10.0.0.3");
  CHECK(desk.give("far") == "Pre-allocated IP out of bounds");
  CHECK(desk.give("bad") == "Pre-allocated IP out of bounds");
  CHECK(desk.give("next") == "10.0.0.1");
}

TEST_CASE("§18 hazard 1 claims of both kinds with one name have an address each", "[ipam]") {
  Desk desk(poolOf({startToEnd("10.0.0.1", "10.0.0.9")}));
  CHECK(desk.give("same") == "10.0.0.1");
  CHECK(desk.give("same", "", ClaimKind::capi) == "10.0.0.2");
  CHECK(desk.book.indexes() == std::map<std::string, std::string>{{"same", "10.0.0.1"}});
  desk.book.release({ClaimKind::metal3, "same"});
  CHECK(desk.book.indexes() == std::map<std::string, std::string>{{"same", "10.0.0.2"}});
}

TEST_CASE("addresses that exist are not given, in any text form", "[ipam]") {
  Desk desk(poolOf({startToEnd("fd00::1", "fd00::4")}));
  const auto odd = existing("odd", "old", "fd00:0:0::1");
  desk.book.add(odd);
  desk.book.add(odd);  // told twice
  auto elsewhere = existing("far", "old", "fd00::2");
  elsewhere.metadata.namespace_ = "other";
  desk.book.add(elsewhere);
  CHECK(desk.give("a") == "fd00::2");
  CHECK(desk.book.indexes().at("old") == "fd00:0:0::1");
  desk.book.remove(odd);
  CHECK(desk.give("b") == "fd00::1");
}

TEST_CASE("§11 E6 a Cluster API claim is not given a prefix length that its address cannot carry", "[ipam]") {
  auto pool = poolOf({startToEnd("10.0.0.1", "10.0.0.1")});
  pool.spec.prefix = 129;
  Desk desk(pool);
  CHECK(desk.give("a", "", ClaimKind::capi) == "Invalid prefix value, it must be between 0 and 128");
  CHECK(desk.give("b") == "10.0.0.1");
}

TEST_CASE("§8.2, §11 (4) strategy random gives out every address of a countable range, and nothing of others",
          "[ipam]") {
  auto pool = poolOf({{.start = "10.0.0.1"}, startToEnd("10.0.0.4", "10.0.0.9")});
  pool.spec.allocationStrategy = "random";
  Desk desk(pool);
  std::set<std::string> given;
  for (int i = 0; i < 6; ++i) given.insert(desk.give("claim" + std::to_string(i)));
  CHECK(given.size() == 6);
  CHECK(*given.begin() == "10.0.0.4");
  CHECK(*given.rbegin() == "10.0.0.9");
  CHECK(desk.give("more") == "Exhausted IP Pools");
}
