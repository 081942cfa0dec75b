// The Leases of Metal3's managers: who holds them, and what is believed of them.
#include "tests/coordinator/managers/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using Catch::Matchers::Contains;
using coordinator::Part;

TEST_CASE("where there is no Metal3, work begins at once and its Leases are held", "[managers]") {
  Cluster c;
  c.start();
  CHECK(c.works);
  CHECK(c.standby->mayAct());
  CHECK(c.standby->waitsFor().empty());
  for (const char* lease : {"baremetal-operator", provider, "controller-leader-election-ipam-capm3"})
    CHECK(c.holder("ingot-system", lease) == "ingot.dev/ingot-system_ingot-coordinator");
}

TEST_CASE("a Lease of Metal3 that somebody renews is waited for, and taken once it has stood still", "[managers]") {
  Cluster c;
  c.renewAs("capm3-controller-manager-1");
  c.start();
  for (int i = 0; i < 10; ++i) {
    c.clock.advance(10s);
    c.renewAs("capm3-controller-manager-1");
  }
  CHECK_FALSE(c.works);
  CHECK(c.standby->waitsFor() ==
        "Lease capm3-system/controller-leader-election-capm3 is held by "
        "capm3-controller-manager-1");
  c.clock.advance(13s);
  CHECK_FALSE(c.works);
  c.clock.advance(5s);
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot.dev/ingot-system_ingot-coordinator");
}

TEST_CASE("a Lease of Metal3 that was given up is taken at once", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot.dev/ingot-system_ingot-coordinator");
}

TEST_CASE("the Leases of Metal3 never run out while we work", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  for (int i = 0; i < 60; ++i) {
    c.clock.advance(1s);
    for (const char* namespace_ : {"ingot-system", "capm3-system"}) {
      const auto lease = c.run(c.client->get<kube::Lease>({namespace_, provider})).value();
      CHECK(c.clock.wall() - lease.spec.renewTime->time < 15s);  // what older managers go by
      CHECK(lease.spec.leaseDurationSeconds == 15);
    }
  }
}

TEST_CASE("the next leader of the same installation need not wait for the Leases of Metal3", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  c.stop();
  c.works = false;
  c.start();
  CHECK(c.works);
}

TEST_CASE("another installation of Ingot is no manager of Metal3, and leaves its Leases when it is gone",
          "[managers]") {
  Cluster c;
  c.renewAs("ingot.dev/team-b_ingot-coordinator");
  c.start();
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot.dev/team-b_ingot-coordinator");
  c.clock.advance(40s);
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot.dev/ingot-system_ingot-coordinator");
}

TEST_CASE("a Deployment that is ready while a Lease is renewed is noticed at once", "[managers]") {
  Cluster c;
  c.start();
  REQUIRE(c.works);
  c.door.leasesTake = 30s;
  c.clock.advance(11s);  // a renewal is under way
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  CHECK_FALSE(c.standby->mayAct());
  c.clock.advance(2min);
  CHECK_FALSE(c.works);
}

TEST_CASE("Leases of Metal3 that cannot be renewed for a while are watched all the same", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  c.door.leasesFail = true;
  c.clock.advance(30s);
  CHECK(c.works);
  c.door.leasesFail = false;
  c.renewAs("capm3-controller-manager-1");
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
}

TEST_CASE("nothing is done before the Leases of Metal3 can be taken", "[managers]") {
  Cluster c;
  c.door.leasesFail = true;
  c.start();
  c.clock.advance(5min);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.standby->waitsFor(), Catch::StartsWith("unknown, "));
  c.door.leasesFail = false;
  c.clock.advance(1min);
  CHECK(c.works);
}

TEST_CASE("who was quicker to take a Lease of Metal3 is waited for", "[managers]") {
  Cluster c;
  const bool isThere = GENERATE(true, false);
  const std::string where = isThere ? "capm3-system" : "ingot-system";
  if (isThere) c.renewAs("");
  c.door.beforeWrite = [&]() -> base::Task<void> {
    kube::Lease lease{.metadata = {.name = provider, .namespace_ = where}};
    if (isThere) lease = (co_await c.others->get<kube::Lease>({where, provider})).value();
    lease.spec.holderIdentity = "capm3-controller-manager-1";
    lease.spec.leaseDurationSeconds = 15;
    static_cast<void>(isThere ? co_await c.others->update(lease) : co_await c.others->create(lease));
  };
  c.start({Part::machine});
  CHECK_FALSE(c.works);
  c.clock.advance(3s);
  CHECK_FALSE(c.works);
  CHECK(c.holder(where) == "capm3-controller-manager-1");
}

TEST_CASE("the Lease by which we elect our leader is ours, whatever its name", "[managers]") {
  Cluster c;
  c.ownLease = provider;
  c.renewAs("ingot-coordinator-5d9c-x2_uuid", "ingot-system");
  c.start({Part::machine});
  CHECK(c.works);
  CHECK(c.holder("ingot-system") == "ingot-coordinator-5d9c-x2_uuid");
}

TEST_CASE("work ends when a manager of Metal3 has taken its Lease", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  REQUIRE(c.works);
  c.renewAs("capm3-controller-manager-1");
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.ended, Contains("is held by capm3-controller-manager-1"));
}

TEST_CASE("a Lease in a namespace that has nothing to do with Metal3 says nothing", "[managers]") {
  Cluster c;
  c.renewAs("capm3-controller-manager-1", "other");
  c.start();
  CHECK(c.works);
  c.renewAs("capm3-controller-manager-1", "other");
  c.clock.advance(11s);
  CHECK(c.works);
  CHECK(c.holder("other") == "capm3-controller-manager-1");
}

TEST_CASE("a Lease counts wherever a manager of Metal3 is known to be", "[managers]") {
  Cluster c;
  c.deploy("other", "capm3-controller-manager", 1);
  c.renewAs("capm3-controller-manager-1", "other");
  c.start();
  c.deploy("other", "capm3-controller-manager", 0);
  for (int i = 0; i < 20; ++i) {
    c.clock.advance(2s);
    c.renewAs("capm3-controller-manager-1", "other");
  }
  CHECK_FALSE(c.works);
  CHECK_THAT(c.standby->waitsFor(), Contains("is held by capm3-controller-manager-1"));
  c.clock.advance(18s);
  CHECK(c.works);
}

TEST_CASE("a Lease of Metal3 with values that no elector writes stops nobody, and is stopped by nobody", "[managers]") {
  Cluster c;
  const std::string spec = GENERATE(R"({"holderIdentity":"","leaseTransitions":2147483647})",
                                    R"({"holderIdentity":"x","leaseDurationSeconds":2147483647})");
  c.run(c.others->api().create(kube::Resource::of(kube::Lease::info), "capm3-system",
                               json::Object{{"apiVersion", "coordination.k8s.io/v1"},
                                            {"kind", "Lease"},
                                            {"metadata", json::Object{{"name", provider}}},
                                            {"spec", json::parse(spec)}}));
  c.start();
  c.clock.advance(65s);
  CHECK(c.works);
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.ended, Contains("Deployment"));
}

TEST_CASE("a Lease of Metal3 that cannot be read says nothing", "[managers]") {
  Cluster c;
  c.door.leases = R"({"metadata":{},"items":[{"metadata":{"name":"controller-leader-election-capm3",
    "namespace":"capm3-system"},"spec":{"holderIdentity":"x","renewTime":"9999-01-01T00:00:00.000000Z"}}]})";
  c.start();
  c.door.leases.clear();
  c.clock.advance(5s);
  CHECK(c.works);
  c.door.leases = R"({"metadata":{},"items":[{"spec":{"renewTime":"9999-01-01T00:00:00.000000Z"}}]})";
  c.clock.advance(1min);
  CHECK(c.works);
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
}

TEST_CASE("no Lease of Metal3 is taken while another of them has a holder", "[managers]") {
  Cluster c;
  c.renewAs("capm3-controller-manager-1");
  c.start();
  CHECK_FALSE(c.works);
  CHECK(c.holder("ingot-system", "baremetal-operator") == "none");
}

TEST_CASE("a Lease of Metal3 that is deleted or written at the same moment ends no work", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  REQUIRE(c.works);
  const bool isDeleted = GENERATE(true, false);
  c.door.beforeWrite = [&]() -> base::Task<void> {
    const kube::ObjectKey key{"capm3-system", provider};
    const auto leases = kube::Resource::of(kube::Lease::info);
    if (isDeleted)
      static_cast<void>(co_await c.others->api().remove(leases, key));
    else
      static_cast<void>(co_await c.others->api().patch(leases, key, kube::PatchType::merge,
                                                       json::parse(R"({"metadata":{"annotations":{"a":"b"}}})")));
  };
  c.clock.advance(30s);
  CHECK(c.works);
}

}  // namespace ingot::tests
