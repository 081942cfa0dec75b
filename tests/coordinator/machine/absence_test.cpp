// spec/capm3.md §8.4 and docs/decisions/0016 against an API: machines that go when what they belong to is gone already.
#include "tests/coordinator/machine/absence_site.hpp"

#include "api/capm3/v1beta2/templates.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capi::MachineSet;
using api::capm3::v1beta2::Metal3MachineTemplate;

// As the owner of Machines: MachineSet "set" of MachineDeployment "md", whose template keeps hosts for reuse.
kube::OwnerReference keepingSet(MachineSite& site) {
  Metal3MachineTemplate kept;
  kept.metadata = {.name = "t", .namespace_ = "metal"};
  kept.spec.nodeReuse = true;
  kept.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
  site.create(kept);
  MachineSet set;
  set.metadata = {.name = "set", .namespace_ = "metal"};
  set.metadata.ownerReferences = {
      {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "MachineDeployment", .name = "md", .uid = "md-uid"}};
  set.spec.clusterName = "c1";
  set.spec.template_.spec.clusterName = "c1";
  set.spec.template_.spec.infrastructureRef = {
      .apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3MachineTemplate", .name = "t"};
  return kube::ownerReferenceTo(site.create(set), true);
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
  SECTION("the reference to its Machine, and the Cluster") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
    site.remove<Cluster>("c1");
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
  const auto set = keepingSet(site);
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
  SECTION("gone they are") {
    site.settle(9min);
    CHECK(runs(site));
    site.settle(1min);
    isReleased(site);
  }
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
    again.metadata.ownerReferences = {set};
    site.create(again);
    auto its = cluster;
    its.metadata = {.name = "c1", .namespace_ = "metal"};
    site.create(its);
    site.settle(1min);
    CHECK_FALSE(site.host("h1").spec.image);
    site.state("h1", "available");
    site.settle(1min);
    CHECK_FALSE(site.find<Metal3Machine>("m1"));
    CHECK(site.host("h1").metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] == "md-md");
  }
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
    CHECK(site.condition("m1", kMetaData) ==
          "False/Deleting: it is being moved by clusterctl; to let it go, remove its annotation "
          "clusterctl.cluster.x-k8s.io/delete-for-move");
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
  site.patch<Metal3Machine>("m1", kMachinePause);
  site.remove<Cluster>("c1");
  site.remove<Machine>("m1");
  site.settle(3min);
  CHECK(runs(site));
  site.patch<Metal3Machine>("m1", kMachineResume);
  isReleased(site);
}

TEST_CASE("a Machine that no cache shows, and nothing but itself names, holds the host back", "[machine][absence]") {
  MachineSite site;
  running(site);
  Machine owner = site.find<Machine>("m1").value();
  owner.metadata = {.name = "m1", .namespace_ = "metal", .labels = owner.metadata.labels};
  site.kill();
  site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
  site.remove<Machine>("m1");
  site.heldWatch = "/v1beta2/machines";
  site.watchHeldFor = 20min;
  site.start();
  site.settle();
  site.removeMachine("m1");
  site.settle();
  site.create(owner);
  site.settle(100s);
  CHECK(runs(site));
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/Deleting: a Machine has it for its infrastructure, and is not known yet"));
  site.heldWatch.clear();
  site.settle(20min);
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
