// Addresses that several objects hold. Whoever may create address objects decides how many there are, and how long the
// names of their claims.
#include "tests/coordinator/ipam/world.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>

using namespace ingot;
using namespace ingot::tests;
using base::IpAddress;
using coordinator::ipam::ClaimKind;
using coordinator::ipam::Holder;

namespace {

struct CountedAddresses {
  static inline std::size_t comparisons = 0;
  bool operator()(IpAddress a, IpAddress b) const { return ++comparisons, a < b; }
};
using CountedHolders = coordinator::ipam::AddressHolders<CountedAddresses>;

std::vector<Holder> holdersNamed(std::size_t count) {
  std::vector<Holder> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({{ClaimKind::metal3, fmt::format("c{}", i)}, fmt::format("o{}", i)});
  return all;
}

// Comparisons that one holder costs, entered, asked for and struck, where so many hold each address.
double stepsOfHolder(std::size_t holders, std::size_t ofEach) {
  const auto all = holdersNamed(holders);
  const auto addressOf = [ofEach](std::size_t i) { return IpAddress(base::Uint128{i / ofEach}); };
  CountedHolders book;
  CountedAddresses::comparisons = 0;
  for (std::size_t i = 0; i < holders; ++i) {
    book.enter(addressOf(i), all[i]);
    REQUIRE(book.first(addressOf(i), 3).size() == std::min<std::size_t>(i % ofEach + 1, 3));
  }
  REQUIRE(book.contested().size() == holders / ofEach);
  for (const auto& [address, count] : book.contested()) REQUIRE(count == ofEach);
  for (std::size_t i = 0; i < holders; ++i) book.strike(addressOf(i), all[i]);
  REQUIRE(book.contested().empty());
  return static_cast<double>(CountedAddresses::comparisons) / static_cast<double>(holders);
}

// One made by hand, of a claim of that name.
OwnAddress madeByHand(std::string name, const std::string& address, const std::string& claim) {
  auto object = addressObject(claim, address);
  object.metadata.name = std::move(name);
  return object;
}

struct HeldTwiceSite : IpamSite {
  HeldTwiceSite() {
    loop.runtime.log = base::Log(lines, "test");
    restart();
  }
  [[nodiscard]] std::vector<std::string> logged() const {
    std::vector<std::string> out;
    std::ranges::copy_if(lines->lines(), std::back_inserter(out),
                         [](const auto& line) { return line.contains("an address is held twice"); });
    return out;
  }
  [[nodiscard]] std::vector<std::string> toldOf(const std::string& object) {
    std::vector<std::string> out;
    for (const auto& event : all<kube::Event>())
      if (event.reason == "AddressHeldTwice" && event.involvedObject.name == object) out.push_back(event.message);
    return out;
  }

  std::shared_ptr<base::MemorySink> lines = std::make_shared<base::MemorySink>();
};

}  // namespace

TEST_CASE("one holder costs the logarithm of all, however many hold its address", "[ipam]") {
  for (const std::size_t ofEach : {std::size_t{2}, std::size_t{500}}) {
    const double few = stepsOfHolder(500, ofEach), many = stepsOfHolder(10'000, ofEach);
    INFO("of each address: " << ofEach << ", steps at 500: " << few << ", at 10,000: " << many);
    CHECK(few < 10 * std::log2(500));
    CHECK(many < 10 * std::log2(10'000));
    CHECK(many < 2 * few);
  }
}

TEST_CASE("what a pool keeps, shows or passes over contests no address", "[ipam]") {
  auto pool = poolOf({startToEnd("10.0.0.1", "10.0.0.9")});
  pool.spec.preAllocations = {{"mine", "10.0.0.1"}};
  coordinator::ipam::PoolBook book(pool);
  book.add(madeByHand("kept", "10.0.0.1", "mine"));
  book.add(madeByHand("shown", "10.0.0.2", "b"));
  book.reserve("10.0.0.2");
  book.add(madeByHand("avoided", "10.0.0.3", "c"));
  book.avoid({ClaimKind::metal3, "in-the-way"}, *IpAddress::parse("10.0.0.3"));
  CHECK(book.holders().contested().empty());
  book.add(madeByHand("thief", "10.0.0.1", "thief"));
  CHECK(book.holders().contested().size() == 1);
  book.release({ClaimKind::metal3, "mine"});
  CHECK(book.holders().contested().empty());
}

TEST_CASE("of an address that hundreds of objects hold a few are told, in few words", "[ipam][controllers]") {
  HeldTwiceSite world;
  const std::string longName(10'000, 'x');
  for (int i = 0; i < 200; ++i)
    world.create(madeByHand(fmt::format("o{:03}", i), "10.0.0.1", fmt::format("{:03}{}", i, longName)));
  world.create(smallPool());
  world.settle();
  const auto told = world.told("AddressHeldTwice");
  REQUIRE(told.size() == 3);
  for (const auto& text : told) {
    CHECK_THAT(text, Catch::StartsWith("10.0.0.1 of pool pool is held by 200 IPAddresses: o000 of IPClaim 000xxx"));
    CHECK_THAT(text, Catch::EndsWith("x and 197 others"));
    CHECK(text.size() < 600);
  }
  REQUIRE(world.logged().size() == 1);
  CHECK(world.logged()[0].size() < 700);

  world.create(madeByHand("joins", "10.0.0.1", "late" + longName));  // it alone is told then
  world.settle();
  REQUIRE(world.told("AddressHeldTwice").size() == 4);
  REQUIRE(world.toldOf("joins").size() == 1);
  CHECK_THAT(world.toldOf("joins")[0],
             Catch::Contains("is held by 201 IPAddresses: ") && Catch::EndsWith("198 others"));
  CHECK(world.logged().size() == 2);
}

TEST_CASE("an address that is held twice is told of once while it is, and anew when it is again",
          "[ipam][controllers]") {
  HeldTwiceSite world;
  world.create(smallPool());
  world.create(madeByHand("a", "10.0.0.1", "a"));
  world.create(madeByHand("b", "10.0.0.1", "b"));
  world.settle();
  REQUIRE(world.logged().size() == 1);
  world.patch<IPPool>("pool", R"({"spec":{"dnsServers":["9.9.9.9"]}})");  // its book is made anew
  world.settle();
  CHECK(world.logged().size() == 1);
  world.remove<OwnAddress>("b");
  world.settle();
  CHECK(world.logged().size() == 1);
  world.create(madeByHand("c", "10.0.0.1", "c"));
  world.settle();
  CHECK(world.logged().size() == 2);
  CHECK(world.toldOf("a").size() == 2);
  CHECK(world.toldOf("c").size() == 1);
}

TEST_CASE("a pool tells of so many addresses that are held twice, and of others when some are no more",
          "[ipam][controllers]") {
  constexpr std::size_t most = coordinator::ipam::AddressBooks::kMostToldOf;
  HeldTwiceSite world;
  for (std::size_t i = 1; i <= most + 10; ++i)
    for (const char* kind : {"a", "b"})
      world.create(madeByHand(fmt::format("{}{}", kind, i), fmt::format("10.0.0.{}", i), fmt::format("{}{}", kind, i)));
  world.create(poolOf({subnetOf("10.0.0.0/16")}));
  world.settle();
  CHECK(world.told("AddressHeldTwice").size() == 2 * most);
  REQUIRE(world.logged().size() == most);
  CHECK_THAT(world.logged()[0], Catch::Contains(fmt::format("contested={}", most + 10)));
  world.patch<IPPool>("pool", R"({"spec":{"dnsServers":["9.9.9.9"]}})");
  world.settle();
  CHECK(world.logged().size() == most);
  world.create(madeByHand("c", fmt::format("10.0.0.{}", most + 5), "c"));  // of one that is not told of
  world.settle();
  CHECK(world.logged().size() == most);
  const auto next = fmt::format("a{}", most + 1);
  CHECK(world.toldOf(next).empty());
  world.remove<OwnAddress>("a1");
  world.settle();
  CHECK(world.logged().size() == most + 1);
  CHECK(world.toldOf(next).size() == 1);
}
