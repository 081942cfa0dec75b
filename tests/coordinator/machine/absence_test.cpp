// spec/capm3.md §8.4 and docs/decisions/0016 against an API: machines that go when what they belong to is gone already.
#include "tests/coordinator/machine/site.hpp"

#include "api/bmh/names.hpp"
#include "kube/core/secret.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string kHostPaused(api::annotation::paused);

void running(MachineSite& site, const std::function<void(Metal3Machine&)>& change = {}) {
  site.addHost("h1");
  site.addMachine("m1", change);
  site.settle();
  if (site.machine("m1").spec.dataTemplate) site.renderData("m1");
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
}

bool runs(MachineSite& site) {
  const auto host = site.host("h1");
  return host.spec.image && host.spec.online && site.consumer("h1") == "m1";
}

void isReleased(MachineSite& site) {
  site.settle(40s);
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.online);
  CHECK(site.consumer("h1") == "m1");
  CHECK_THAT(site.condition("m1", kMetaData), Catch::StartsWith("False/Deleting: deprovisioning BareMetalHost"));
  site.state("h1", "available");
  site.settle(40s);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK_FALSE(site.find<Metal3DataClaim>("m1"));
  const auto host = site.host("h1");
  CHECK_FALSE(host.spec.consumerRef);
  CHECK_FALSE(host.metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
  CHECK_FALSE(host.metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
  CHECK_FALSE(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
}

}  // namespace

TEST_CASE("a machine goes whatever went before it", "[machine][absence]") {
  MachineSite site;
  running(site, withTemplate);
  SECTION("its Machine, which takes it along") { site.remove<Machine>("m1"); }
  SECTION("its Machine, and it is asked to go") {
    site.remove<Machine>("m1");
    site.removeMachine("m1");
  }
  SECTION("the Cluster, whose infrastructure was ready") {
    site.remove<Cluster>("c1");
    site.settle();
    site.removeMachine("m1");
  }
  SECTION("the Cluster and the Machine") {
    site.remove<Cluster>("c1");
    site.remove<Machine>("m1");
    site.removeMachine("m1");
  }
  SECTION("all, and the label of the machine") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":null,"ownerReferences":null}})");
    site.remove<Cluster>("c1");
    site.remove<Machine>("m1");
    site.removeMachine("m1");
  }
  SECTION("the reference to its Machine") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
    site.settle();
    site.removeMachine("m1");
  }
  SECTION("the Cluster's label on its Machine") {
    site.patch<Machine>("m1", R"({"metadata":{"labels":null}})");
    site.settle();
    site.removeMachine("m1");
  }
  isReleased(site);
}

TEST_CASE("a wait for what may come back is told as a deletion's", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.remove<Machine>("m1");
  site.settle();
  CHECK(runs(site));
  CHECK(site.condition("m1", kMetaData) ==
        "False/Deleting: Machine m1 is gone; unless it comes back, the host is stopped without it");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/AssociateBareMetalHostSuccess"));
}

TEST_CASE("a machine whose Machine and Cluster no cache shows goes as they say", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.kill();
  site.heldWatch = "/apis/cluster.x-k8s.io/";
  site.watchHeldFor = 1h;
  const auto cluster = site.find<Cluster>("c1").value();
  const auto owner = site.find<Machine>("m1").value();
  site.remove<Cluster>("c1");
  site.remove<Machine>("m1");
  site.start();
  site.settle(1s);
  REQUIRE(site.machine("m1").metadata.beingDeleted());
  SECTION("paused: the host stays") {
    auto again = cluster;
    again.metadata = {.name = "c1", .namespace_ = "metal"};
    again.spec.paused = true;
    site.create(again);
    site.settle(3min);
    CHECK(runs(site));
    CHECK(site.condition("m1", "Paused") == "True/Paused: Cluster spec.paused is set to true");
  }
  SECTION("the Machine comes back: it goes as any other does") {
    auto again = owner;
    again.metadata = {.name = "m1", .namespace_ = "metal", .labels = owner.metadata.labels};
    site.create(again);
    auto its = cluster;
    its.metadata = {.name = "c1", .namespace_ = "metal"};
    site.create(its);
    site.settle(1min);
    CHECK_FALSE(site.host("h1").spec.image);
  }
}

TEST_CASE("a host stays as it is when nobody can tell whether its Machine is gone", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.forbidsReads = true;
  SECTION("the Machine") {
    site.forbidden = "/machines/m1";
    site.remove<Machine>("m1");
  }
  SECTION("the Cluster") {
    site.forbidden = "/clusters/c1";
    site.remove<Cluster>("c1");
    site.settle();
    site.removeMachine("m1");
  }
  SECTION("any Machine") {
    site.forbidden = "/namespaces/metal/machines";
    site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
    site.settle();
    site.removeMachine("m1");
  }
  site.settle(3min);
  CHECK(runs(site));
  CHECK_THAT(site.condition("m1", kMetaData), Catch::StartsWith("False/Deleting: it cannot be told whether"));
  site.forbidden.clear();
  site.settle(1min);  // the first look that proves it
  isReleased(site);
}

TEST_CASE("what clusterctl moves is not cleaned up where it comes from", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  REQUIRE(site.host("h1").metadata.annotations.contains(kHostPaused));
  const auto moved = R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/delete-for-move":"",)"
                     R"("metal3.io/BareMetalHost":null}}})";
  SECTION("in its order") {
    site.patch<Metal3Machine>("m1", moved);
    site.removeMachine("m1");
    site.settle(2min);
    REQUIRE(site.find<Metal3Machine>("m1"));
    site.patch<Metal3Machine>("m1", R"({"metadata":{"finalizers":null}})");
  }
  SECTION("with the Cluster and the Machine gone first") {
    site.patch<Metal3Machine>("m1", moved);
    site.remove<Cluster>("c1");
    site.remove<Machine>("m1");
  }
  SECTION("by hand, with nothing to tell it but the pause") {
    site.remove<Cluster>("c1");
    site.remove<Machine>("m1");
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::Contains("its Cluster is gone, and host h1 is paused: it stays as it is until its annotation "
                               "baremetalhost.metal3.io/paused is removed"));
    CHECK(runs(site));
    CHECK(site.host("h1").metadata.annotations.contains(kHostPaused));
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})");
    return isReleased(site);
  }
  SECTION("with a host that is on its way already") {
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null,)"
                                    R"("clusterctl.cluster.x-k8s.io/delete-for-move":""}}})");
    site.remove<Cluster>("c1");
    site.remove<Machine>("m1");
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("host h1 is being moved"));
  }
  site.settle(2min);
  CHECK(runs(site));
}

TEST_CASE("a machine that rests stays when its Machine and its Cluster are gone", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  site.remove<Cluster>("c1");
  site.remove<Machine>("m1");
  site.settle(3min);
  CHECK(runs(site));
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})");
  isReleased(site);
}

TEST_CASE("a Machine that no cache shows is waited for by its name", "[machine][absence]") {
  MachineSite site;
  site.kill();
  site.heldWatch = "/v1beta2/machines";
  site.watchHeldFor = 10min;
  site.start();
  site.settle();
  site.addHost("h1");
  site.addMachine("m1");
  site.settle(90s);
  CHECK(site.condition("m1", kAssociate) ==
        "False/WaitingForMetal3MachineOwnerRef: Waiting for Machine m1, which the owner reference names");
  site.settle(10min);
  CHECK(site.consumer("h1") == "m1");
}
