// What claims that were refused cost while addresses come free (--retry-refused-claims).
#include "api/capi/cluster.hpp"
#include "tests/coordinator/ipam/world.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

struct RetrySite : IpamSite {
  // With a pool of so many addresses, which as many claims have: 10.0.0.1 is of "h1", and so on.
  explicit RetrySite(int count) {
    retry = coordinator::ipam::Retry::forLackOfAddresses;
    restart();
    create(poolOf({startToEnd("10.0.0.1", fmt::format("10.0.0.{}", count))}));
    for (int i = 1; i <= count; ++i) {
      create(claimOf(fmt::format("h{}", i), fmt::format("10.0.0.{}", i)));
      settle();
    }
  }
  void refuse(api::ipam::IPClaim claim) {
    const std::string name = claim.metadata.name;
    create(std::move(claim));
    settle();
    REQUIRE_FALSE(answer(name).empty());
    REQUIRE_FALSE(answer(name).starts_with("10."));
  }
};

}  // namespace

TEST_CASE("an address that comes free is a pass for as many claims, however many wait", "[ipam][retries]") {
  constexpr int kFreed = 10, kWaiting = 200;
  RetrySite site(kFreed);
  for (int i = 0; i < kWaiting; ++i) site.create(claimOf(fmt::format("w{:03}", i)));
  site.settle(10s);
  const int before = site.passes("ipclaim");
  for (int i = 1; i <= kFreed; ++i) {
    site.remove<IPClaim>(fmt::format("h{}", i));
    site.settle(5s);
  }
  for (int i = 0; i < kFreed; ++i) CHECK(site.answer(fmt::format("w{:03}", i)).starts_with("10.0.0."));
  CHECK(site.answer(fmt::format("w{:03}", kFreed)) == "Exhausted IP Pools");
  CHECK(site.passes("ipclaim") - before <= 6 * kFreed);  // of those that go, and of those that get theirs
  CHECK(site.breaches().empty());
}

TEST_CASE("the claim that was made first gets what comes free, of either kind", "[ipam][retries]") {
  RetrySite site(1);
  site.refuse(claimOf("z"));
  site.create(capiClaimOf("y"));
  site.settle();
  site.refuse(claimOf("x"));
  for (const std::string last : {"h1", "z"}) {
    site.remove<IPClaim>(last);
    site.settle(5s);
  }
  CHECK(site.capiAnswer("y") == "10.0.0.1");
  CHECK(site.answer("x") == "Exhausted IP Pools");
}

TEST_CASE("claims that cannot take what comes free hold it back from nobody", "[ipam][retries]") {
  RetrySite site(1);
  api::capi::Cluster blue;
  blue.metadata = {.name = "blue", .namespace_ = "metal"};
  blue.spec.infrastructureRef = {"infrastructure.cluster.x-k8s.io", "Metal3Cluster", "blue"};
  site.create(blue);
  for (int i = 0; i < 20; ++i) {
    auto resting = claimOf(fmt::format("a{}", i));
    resting.metadata.labels["cluster.x-k8s.io/cluster-name"] = "blue";
    site.refuse(std::move(resting));
  }
  site.refuse(claimOf("b"));
  site.patch<api::capi::Cluster>("blue", R"({"spec":{"paused":true}})");
  site.settle();
  site.remove<IPClaim>("h1");
  site.settle(10s);
  CHECK(site.answer("b") == "10.0.0.1");
}

TEST_CASE("a claim that asks for an address is tried again when that one comes free", "[ipam][retries]") {
  RetrySite site(3);
  for (int i = 0; i < 5; ++i) site.refuse(claimOf(fmt::format("two{}", i), "10.0.0.2"));
  site.refuse(claimOf("any"));
  const int before = site.passes("ipclaim");
  site.remove<IPClaim>("h1");
  site.settle(5s);
  CHECK(site.answer("any") == "10.0.0.1");
  CHECK(site.passes("ipclaim") - before <= 6);
  CHECK(site.answer("two0") == "Requested IP not available");
  site.remove<IPClaim>("h2");
  site.settle(5s);
  CHECK(site.answer("two0") == "10.0.0.2");
  CHECK(site.answer("two1") == "Requested IP not available");
}
