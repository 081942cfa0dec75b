// What is done for a claim, and what it is told (spec/ipam.md §10–§12).
#include "coordinator/ipam/address_books.hpp"
#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/claim_status.hpp"
#include "coordinator/ipam/decision.hpp"
#include "coordinator/ipam/naming.hpp"

#include "tests/coordinator/ipam/builders.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::ipam;
using namespace ingot::tests;

namespace {

const base::WallTime kNow{std::chrono::seconds(1'700'000'000)};

const auto kPool = poolOf({startToEnd("10.0.0.1", "10.0.0.2")});

}  // namespace

TEST_CASE("§10 (2) a claim is worked on until it has an address or a refusal", "[ipam]") {
  auto claim = claimOf("a");
  CHECK(actionFor(kPool, claim) == ClaimAction::allocate);
  tellRefusal(claim, {Refusal::exhausted, ""});
  CHECK(actionFor(kPool, claim) == ClaimAction::none);
  CHECK(actionFor(kPool, claim, Retry::forLackOfAddresses) == ClaimAction::allocate);
  begin(claim);
  CHECK_FALSE(claim.status.errorMessage);
  tellAddress(claim, "net-10-0-0-1");
  CHECK(actionFor(kPool, claim) == ClaimAction::none);
}

TEST_CASE("a mistake of the claim is not tried again", "[ipam]") {
  auto claim = claimOf("a", "bogus");
  tellRefusal(claim, {Refusal::invalidRequest, "bogus"});
  CHECK(actionFor(kPool, claim, Retry::forLackOfAddresses) == ClaimAction::none);
}

TEST_CASE("§18 hazard 3 claims for other pools, namespaces and providers are left alone", "[ipam]") {
  auto other = claimOf("a");
  other.spec.pool.name = "another";
  CHECK(actionFor(kPool, other) == ClaimAction::none);
  auto elsewhere = claimOf("a");
  elsewhere.metadata.namespace_ = "far";
  CHECK(actionFor(kPool, elsewhere) == ClaimAction::none);
  auto foreign = capiClaimOf("a");
  foreign.spec.poolRef.apiGroup = "ipam.example.com";
  CHECK(actionFor(kPool, foreign) == ClaimAction::none);
  CHECK(actionFor(kPool, capiClaimOf("a")) == ClaimAction::allocate);
}

TEST_CASE("a claim looks for its pool in its own namespace, and may say so", "[ipam]") {
  auto claim = claimOf("a");
  CHECK(whyNever(claim).empty());
  claim.spec.pool.namespace_ = "metal";
  CHECK(whyNever(claim).empty());
  claim.spec.pool.namespace_ = "far";
  CHECK(whyNever(claim) == "its pool is in namespace far, and a pool serves claims of its own only");
}

TEST_CASE("§10.2 (3) a claim that goes away is released once nobody else holds it", "[ipam]") {
  auto claim = claimOf("a");
  begin(claim);
  claim.metadata.deletionTimestamp = kNow;
  CHECK(actionFor(kPool, claim) == ClaimAction::release);
  claim.metadata.finalizers.emplace_back("somebody.else/uses-it");
  CHECK(actionFor(kPool, claim) == ClaimAction::stillUsed);
}

TEST_CASE("§4, §12.2 (4) an IPAddress belongs to pool and claim and takes over the claim's labels", "[ipam]") {
  PoolBook book(kPool);
  auto claim = claimOf("a");
  claim.metadata.labels["team"] = "blue";
  const auto random = base::seededRandom(1);
  const auto decision = decide(book, kPool, claim, *random);
  const auto& object = std::get<Create<api::ipam::IPAddress>>(decision).object;
  CHECK(object.metadata.name == "net-10-0-0-1");
  CHECK(object.metadata.labels == claim.metadata.labels);
  CHECK(object.metadata.finalizers == std::vector<std::string>{"ipaddress.ipam.metal3.io"});
  REQUIRE(object.metadata.ownerReferences.size() == 2);
  CHECK(object.metadata.ownerReferences[0].kind == "IPPool");
  CHECK(object.metadata.ownerReferences[1].kind == "IPClaim");
  CHECK_FALSE(object.metadata.ownerReferences[1].controller);
}

TEST_CASE("§5.2, §12.2 (4), §18 hazard 12 a Cluster API address is managed by its claim, and both owners wait for it",
          "[ipam]") {
  PoolBook book(kPool);
  const auto random = base::seededRandom(1);
  const auto decision = decide(book, kPool, capiClaimOf("a"), *random);
  const auto& owners = std::get<Create<api::capi_ipam::IPAddress>>(decision).object.metadata.ownerReferences;
  REQUIRE(owners.size() == 2);
  CHECK_FALSE(owners[0].controller);
  CHECK(owners[0].blockOwnerDeletion == true);
  CHECK(owners[1].controller == true);
  CHECK(owners[1].blockOwnerDeletion == true);
}

TEST_CASE("§12.2 (2) a claim adopts the address that exists for it", "[ipam]") {
  PoolBook book(kPool);
  api::ipam::IPAddress object;
  object.metadata = {.name = "net-10-0-0-2", .namespace_ = "metal"};
  object.spec.pool.name = "pool";
  object.spec.claim.name = "a";
  object.spec.address = "10.0.0.2";
  book.add(object);
  const auto random = base::seededRandom(1);
  CHECK(std::get<Adopt>(decide(book, kPool, claimOf("a"), *random)).name == "net-10-0-0-2");
  CHECK(addressObjectOf(book, kPool, {ClaimKind::metal3, "a"}) == "net-10-0-0-2");
  CHECK(addressObjectOf(book, kPool, {ClaimKind::capi, "a"}).empty());
}

TEST_CASE("an address is given to a claim by a pool, not to their names", "[ipam]") {
  auto pool = kPool;
  auto claim = claimOf("a");
  claim.metadata.uid = "claim-uid";
  const AddressBooks::Given<api::ipam::IPAddress> given{addressObject("a", "10.0.0.1"), basisOf(claim.metadata, pool)};
  CHECK(given.isFor(claim.metadata, pool));
  SECTION("another claim of the name") { claim.metadata.uid = "another"; }
  SECTION("another pool of the name") { pool.metadata.uid = "another"; }
  SECTION("the claim has other labels") { claim.metadata.labels["a"] = "b"; }
  SECTION("the claim asks for an address") { claim = claimOf("a", "10.0.0.2"); }
  SECTION("the pool has another spec") { ++pool.metadata.generation; }
  CHECK_FALSE(given.isFor(claim.metadata, pool));
}

TEST_CASE("one bad claim does not stop the next", "[ipam]") {
  PoolBook book(kPool);
  const auto random = base::seededRandom(1);
  CHECK(std::holds_alternative<Refused>(decide(book, kPool, claimOf("bad", "bogus"), *random)));
  CHECK(std::holds_alternative<Create<api::ipam::IPAddress>>(decide(book, kPool, claimOf("good"), *random)));
}

TEST_CASE("§5.1, §11, §18 hazard 9 a Cluster API claim is told in condition Ready, with a reason in either case",
          "[ipam]") {
  auto claim = capiClaimOf("a");
  tellRefusal(claim, {Refusal::exhausted, ""}, kNow);
  REQUIRE(claim.status.conditions.size() == 1);
  CHECK(claim.status.conditions[0].reason == "PoolExhausted");
  CHECK(actionFor(kPool, claim) == ClaimAction::none);
  CHECK(actionFor(kPool, claim, Retry::forLackOfAddresses) == ClaimAction::allocate);
  tellReady(claim, kNow);
  REQUIRE(claim.status.conditions.size() == 1);
  CHECK(claim.status.conditions[0].status == "True");
  CHECK(claim.status.conditions[0].reason == "Ready");
}

TEST_CASE("§12.1 names of address objects end with no dash", "[ipam]") {
  CHECK(addressName("prov", "192.168.0.10") == "prov-192-168-0-10");
  CHECK(addressName("prov", "2001:db8::5") == "prov-2001-db8--5");
  CHECK(addressName("prov", "fd00::") == "prov-fd00");
}
