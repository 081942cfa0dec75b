// Random pools, random claims, everything that can happen to them. A failure names its seed and its number of steps,
// shrunk to the shortest run that still fails.
#include "coordinator/ipam/pool_book.hpp"

#include "api/ipam/admission.hpp"
#include "coordinator/ipam/naming.hpp"
#include "tests/coordinator/ipam/builders.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

using namespace ingot;
using namespace ingot::coordinator::ipam;
using namespace ingot::tests;
using base::IpAddress;

namespace {

std::string addressAt(bool v4, std::uint64_t offset) {
  const base::Uint128 start = v4 ? IpAddress::kFirstV4 | 0x0a000000 : base::Uint128{0xfd00} << 112;
  return IpAddress(start + offset).text();
}

api::ipam::Range randomRange(base::Random& random) {
  const bool v4 = random.below(3) != 0;
  const auto start = random.below(40);
  api::ipam::Range range;
  const auto form = random.below(5);
  if (form == 0) {
    range.subnet = fmt::format("{}/{}", addressAt(v4, start), (v4 ? 32 : 128) - random.below(5));
    return range;
  }
  range.start = addressAt(v4, start);
  range.end = addressAt(v4, start + random.below(12));
  if (form == 1) range.subnet = fmt::format("{}/{}", addressAt(v4, start), (v4 ? 32 : 128) - random.below(5));
  return range;
}

api::ipam::IPPool randomPool(base::Random& random) {
  std::vector<api::ipam::Range> ranges(1 + random.below(3));
  for (auto& range : ranges) range = randomRange(random);
  auto pool = poolOf(std::move(ranges));
  if (random.below(2) == 0) pool.spec.allocationStrategy = "random";
  for (std::uint64_t i = random.below(4); i > 0; --i)
    pool.spec.preAllocations[fmt::format("claim{}", random.below(30))] = addressAt(true, random.below(40));
  return pool;
}

// What the ranges can give out, by walking through all addresses that a random pool may have.
bool canGiveOut(const api::ipam::IPPool& pool, IpAddress address) {
  return std::ranges::any_of(pool.spec.pools, [&](const api::ipam::Range& range) {
    if (!api::ipam::isRandom(pool.spec)) {
      const auto span = sequentialSpan(range);
      return span && span->contains(address);
    }
    const auto space = api::ipam::randomSpace(range);
    const auto* found = std::get_if<api::ipam::RandomSpace>(&space);
    return found && found->size > 0 && found->usable && found->usable->contains(address);
  });
}

std::set<IpAddress> allOf(const api::ipam::IPPool& pool) {
  std::set<IpAddress> all;
  for (const bool v4 : {true, false})
    for (std::uint64_t i = 0; i < 128; ++i) {
      const IpAddress address = *IpAddress::parse(addressAt(v4, i));
      if (canGiveOut(pool, address)) all.insert(address);
    }
  return all;
}

// What the caches tell of an address object: its coming, also of one that the book knows, and its going.
void tell(PoolBook& book, const api::ipam::IPPool& pool, const ClaimKey& claim, IpAddress address, bool isThere) {
  const auto fill = [&](auto& object) {
    object.metadata = {.name = addressName(pool.spec.namePrefix, address.text()),
                       .namespace_ = pool.metadata.namespace_};
    object.spec.address = address.text();
    isThere ? book.add(object) : book.remove(object);
  };
  if (claim.kind == ClaimKind::metal3) {
    api::ipam::IPAddress object;
    object.spec.pool.name = pool.metadata.name;
    object.spec.claim.name = claim.name;
    fill(object);
  } else {
    api::capi_ipam::IPAddress object;
    object.spec.poolRef = {.name = pool.metadata.name, .kind = "IPPool", .apiGroup = "ipam.metal3.io"};
    object.spec.claimRef.name = claim.name;
    fill(object);
  }
}

// "" when `steps` steps of this seed keep all promises, else which one is broken.
std::string brokenPromise(std::uint64_t seed, int steps) {
  const auto random = base::seededRandom(seed);
  const auto pool = randomPool(*random);
  const auto all = allOf(pool);
  std::set<IpAddress> kept;
  for (const auto& [claim, text] : pool.spec.preAllocations) kept.insert(*IpAddress::parse(text));
  PoolBook book(pool);
  std::map<ClaimKey, IpAddress> held, byHand;  // by claim; by hand also what is held already

  for (int step = 0; step < steps; ++step) {
    const ClaimKey claim{random->below(2) == 0 ? ClaimKind::metal3 : ClaimKind::capi,
                         fmt::format("claim{}", random->below(30))};
    if (random->below(10) == 0) {
      const ClaimKey hand{claim.kind, "by-hand-" + claim.name};
      const auto made = byHand.try_emplace(hand, *IpAddress::parse(addressAt(true, random->below(60))));
      tell(book, pool, hand, made.first->second, made.second);
      if (!made.second) byHand.erase(made.first);
      continue;
    }
    if (const auto has = held.find(claim); has != held.end()) {
      if (random->below(3) == 0) {
        tell(book, pool, claim, has->second, true);  // it has come, which the book knows
        continue;
      }
      random->below(2) == 0 ? book.release(claim) : tell(book, pool, claim, has->second, false);
      held.erase(has);
      continue;
    }
    const bool asks = random->below(5) == 0;
    const bool isKept = pool.spec.preAllocations.contains(claim.name);
    const Request request{.claim = claim, .address = asks ? addressAt(true, random->below(60)) : ""};
    const Answer answer = book.allocate(request, *random);
    const auto taken = [&](IpAddress a) {
      const auto isIt = [&](const auto& entry) { return entry.second == a; };
      return std::ranges::any_of(held, isIt) || std::ranges::any_of(byHand, isIt);
    };
    if (const auto* grant = std::get_if<Grant>(&answer)) {
      if (taken(grant->address)) return fmt::format("{} given twice", grant->address.text());
      if (!asks && !isKept && !all.contains(grant->address)) return grant->address.text() + " is outside the pool";
      if (isKept && grant->address != IpAddress::parse(pool.spec.preAllocations.at(claim.name)))
        return grant->address.text() + " is not the one that is kept for the claim";
      if (!isKept && kept.contains(grant->address)) return grant->address.text() + " is kept for another claim";
      held.emplace(claim, grant->address);
    } else if (!asks && !isKept) {
      for (const IpAddress address : all)
        if (!taken(address) && !kept.contains(address)) return address.text() + " was free, but not given";
    }
    if (book.inUse() < held.size()) return "the book has fewer addresses than the claims";
  }
  return "";
}

// The fewest steps that still fail.
int shrunk(std::uint64_t seed, int steps) {
  while (steps > 1 && !brokenPromise(seed, steps - 1).empty()) --steps;
  return steps;
}

}  // namespace

TEST_CASE("no address twice, none outside the pool, one whenever one is free", "[ipam][random]") {
  constexpr int kSteps = 120;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    if (brokenPromise(seed, kSteps).empty()) continue;
    const int steps = shrunk(seed, kSteps);
    FAIL(fmt::format("seed {}, {} steps: {}", seed, steps, brokenPromise(seed, steps)));
  }
}
