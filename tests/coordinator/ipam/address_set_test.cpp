// The addresses of a pool that are in use (spec/ipam.md §18, hazard 5).
#include "coordinator/ipam/address_set.hpp"

#include "base/random.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace ingot;
using base::IpAddress;
using coordinator::ipam::AddressSet;

namespace {

api::ipam::Span span(unsigned first, unsigned last) { return {IpAddress(first), IpAddress(last)}; }

std::optional<unsigned> firstFree(const AddressSet& set, unsigned first, unsigned last) {
  const auto free = set.firstFree(span(first, last));
  return free ? std::optional(static_cast<unsigned>(free->value())) : std::nullopt;
}

struct Counted {
  static inline std::size_t comparisons = 0;
  bool operator()(base::Uint128 a, base::Uint128 b) const { return ++comparisons, a < b; }
};

// Comparisons that one address costs, found, taken and returned, where so many are in use: in one run, or each with a
// gap behind it.
double stepsOfAllocation(unsigned inUse, unsigned distance) {
  coordinator::ipam::AddressRuns<Counted> set;
  for (unsigned i = 0; i < inUse; ++i) set.insert(IpAddress(base::Uint128{i} * distance));
  constexpr unsigned kTries = 500;
  Counted::comparisons = 0;
  for (unsigned i = 0; i < kTries; ++i) {
    const unsigned from = i * inUse / kTries * distance;
    const auto free = set.firstFree(span(from, inUse * distance));
    REQUIRE(free);
    REQUIRE(set.insert(*free));
    REQUIRE(set.erase(*free));
  }
  return static_cast<double>(Counted::comparisons) / kTries;
}

}  // namespace

TEST_CASE("§18 hazard 5 an address costs the logarithm of how many are in use", "[ipam]") {
  const unsigned distance = GENERATE(1U, 2U, 3U);
  const double few = stepsOfAllocation(1'000, distance), many = stepsOfAllocation(60'000, distance);
  INFO("steps at 1,000: " << few << ", at 60,000: " << many);
  CHECK(few < 6 * std::log2(1'000));
  CHECK(many < 6 * std::log2(60'000));
  CHECK(many < 2 * few);
}

TEST_CASE("the first free address follows the run that covers the beginning", "[ipam]") {
  AddressSet set;
  for (const unsigned used : {5U, 7U, 6U, 9U}) CHECK(set.insert(IpAddress(used)));
  CHECK(firstFree(set, 1, 20) == 1U);
  CHECK(firstFree(set, 5, 20) == 8U);
  CHECK(firstFree(set, 9, 20) == 10U);
  CHECK(firstFree(set, 5, 7) == std::nullopt);
  CHECK(firstFree(set, 6, 5) == std::nullopt);
}

TEST_CASE("runs join when the gap closes, and part when an address comes free", "[ipam]") {
  AddressSet set;
  for (unsigned i = 1; i <= 9; ++i) set.insert(IpAddress(i));
  CHECK_FALSE(set.insert(IpAddress(4)));
  CHECK(set.size() == 9);
  CHECK(set.erase(IpAddress(4)));
  CHECK_FALSE(set.erase(IpAddress(4)));
  CHECK(firstFree(set, 1, 20) == 4U);
  CHECK(firstFree(set, 5, 20) == 10U);
}

TEST_CASE("the ends of the number line are addresses like others", "[ipam]") {
  AddressSet set;
  const IpAddress last(IpAddress::kLast);
  CHECK(set.insert(last));
  CHECK(set.insert(IpAddress(0)));
  CHECK_FALSE(set.firstFree({last, last}));
  CHECK(set.firstFree({IpAddress(0), last}) == IpAddress(1));
  CHECK(set.erase(last));
  CHECK(set.firstFree({last, last}) == last);
}

TEST_CASE("the set answers as a plain set of numbers does", "[ipam][random]") {
  const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{40}));
  INFO("seed " << seed);
  const auto random = base::seededRandom(seed);
  AddressSet set;
  std::set<unsigned> plain;
  for (int i = 0; i < 300; ++i) {
    const auto address = static_cast<unsigned>(random->below(64));
    if (random->below(3) != 0)
      REQUIRE(set.insert(IpAddress(address)) == plain.insert(address).second);
    else
      REQUIRE(set.erase(IpAddress(address)) == (plain.erase(address) == 1));
    const auto first = static_cast<unsigned>(random->below(64));
    auto expected = first;
    while (plain.contains(expected)) ++expected;
    REQUIRE(firstFree(set, first, 63) == (expected <= 63 ? std::optional(expected) : std::nullopt));
    REQUIRE(set.size() == plain.size());
  }
}
