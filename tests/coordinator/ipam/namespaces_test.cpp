// A claim whose spec.pool names another namespace than its own (spec/ipam.md §18, hazard 10).
#include "kube/core/event.hpp"
#include "tests/coordinator/ipam/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using namespace ingot::tests;

namespace {

IPClaim claimIn(const std::string& poolNamespace) {
  IPClaim claim = claimOf("a");
  claim.spec.pool.namespace_ = poolNamespace;
  return claim;
}

// What the log says of claims that wait.
Texts waitingLines(const base::MemorySink& log) {
  Texts lines;
  for (const std::string& line : log.lines())
    if (line.contains("a claim waits for its address")) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("§18 hazard 10 a claim for a pool of another namespace stays pending, and the log says why once",
          "[ipam][controllers]") {
  IpamSite world;
  const auto log = std::make_shared<base::MemorySink>();
  world.loop.runtime.log = base::Log(log, "test");
  world.restart();
  const bool poolFirst = GENERATE(true, false);
  if (poolFirst) world.create(smallPool());  // of the claim's namespace, and of that name
  world.create(claimIn("other"));
  world.settle();
  if (!poolFirst) world.create(smallPool());
  world.settle(1h);
  CHECK(world.answer("a").empty());
  CHECK(world.find<IPClaim>("a")->metadata.finalizers.empty());
  CHECK(world.all<OwnAddress>().empty());
  REQUIRE(waitingLines(*log).size() == 1);
  CHECK(waitingLines(*log)[0].contains("claim=metal/a"));
  CHECK(waitingLines(*log)[0].contains("its pool is in namespace other, and a pool serves claims of its own only"));
  world.remove<IPClaim>("a");
  world.settle();
  CHECK_FALSE(world.find<IPClaim>("a"));
}

TEST_CASE("a claim may name its own namespace as the pool's", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(claimIn("metal"));
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
}

TEST_CASE("an address that a claim for another namespace has is returned with it", "[ipam][controllers]") {
  IpamSite world;
  world.create(smallPool());
  world.create(addressObject("a", "10.0.0.1"));
  IPClaim claim = claimIn("other");
  claim.metadata.finalizers = {"ipclaim.ipam.metal3.io"};
  world.create(claim);
  world.patchStatus<IPClaim>("a", R"({"status":{"address":{"name":"net-10-0-0-1","namespace":"metal"}}})");
  world.settle();
  CHECK(world.answer("a") == "10.0.0.1");
  world.remove<IPClaim>("a");
  world.settle();
  CHECK(world.answer("a") == "gone");
  CHECK(world.all<OwnAddress>().empty());
}
