// Allocation: 60,000 claims from one /16, and one more in a pool that is full but for one address. Goals: 200 ms in
// all, 20 µs.
#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/decision.hpp"
#include "tests/bench/cpu_clock.hpp"
#include "tests/coordinator/ipam/builders.hpp"

namespace {

using namespace ingot;
using namespace ingot::coordinator::ipam;
using tests::CpuClock;

constexpr int kClaims = 60'000;

std::vector<api::ipam::IPClaim> claims(int count) {
  std::vector<api::ipam::IPClaim> out;
  out.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out.push_back(tests::claimOf(fmt::format("machine-{}-provisioning", i)));
  return out;
}

// ClaimAction, decision and address object of each claim.
std::size_t decideAll(PoolBook& book, const api::ipam::IPPool& pool, const std::vector<api::ipam::IPClaim>& all,
                      base::Random& random) {
  std::size_t made = 0;
  for (const auto& claim : all) {
    if (actionFor(pool, claim) != ClaimAction::allocate) continue;
    const auto decision = decide(book, pool, claim, random);
    if (std::holds_alternative<Create<api::ipam::IPAddress>>(decision)) ++made;
  }
  return made;
}

void measure(const char* name, api::ipam::IPPool pool) {
  const auto random = base::seededRandom(1);
  const auto some = claims(kClaims);
  PoolBook book(pool);
  const auto start = CpuClock::now();
  const std::size_t made = decideAll(book, pool, some, *random);
  fmt::print("{}: {} claims in {:.1f} ms\n", name, made, CpuClock::millisecondsSince(start));

  int more = 0;
  const auto next = [&] { return tests::claimOf(fmt::format("more-{}", more++)); };
  while (true) {  // until the pool is full
    const auto decision = decide(book, pool, next(), *random);
    if (!std::holds_alternative<Create<api::ipam::IPAddress>>(decision)) break;
  }
  constexpr int kRounds = 1'000;
  double total = 0;
  for (int i = 0; i < kRounds; ++i) {
    book.release({ClaimKind::metal3, some[random->below(some.size())].metadata.name});
    const auto claim = next();
    const auto begin = CpuClock::now();
    static_cast<void>(decide(book, pool, claim, *random));
    total += CpuClock::millisecondsSince(begin);
  }
  fmt::print("{}: one more in a full-but-one pool {:.2f} us\n", name, total * 1000 / kRounds);

  const auto listed = CpuClock::now();
  const auto indexes = book.indexes();
  fmt::print("{}: status.indexes of {} in {:.1f} ms\n", name, indexes.size(), CpuClock::millisecondsSince(listed));
}

}  // namespace

int main() {
  auto pool = tests::poolOf({tests::subnetOf("10.20.0.0/16")});
  pool.spec.prefix = 16;
  pool.spec.gateway = "10.20.255.254";
  pool.spec.dnsServers = {"10.20.255.253"};
  measure("sequential", pool);
  pool.spec.allocationStrategy = "random";
  measure("random", pool);
}
