// spec/capm3.md §7 against an API
#include "kube/runtime/conditions.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/coordinator/cluster/site.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* kObject = "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/metal/metal3clusters/c1";
const std::vector<std::string> kOnePass{std::string("PATCH ") + kObject, std::string("PATCH ") + kObject + "/status"};

bool isProvisioned(ClusterSite& site, const std::string& name = "c1") {
  return site.find<Metal3Cluster>(name).value().status.initialization.provisioned.value_or(false);
}

bool isPaused(ClusterSite& site) {
  return kube::isTrue(site.find<Metal3Cluster>("c1").value().status.conditions, "Paused");
}

void clusterWithMachines(ClusterSite& site, int machines) {
  site.create(metalCluster(site.create(clusterNamed("c1")).metadata.uid));
  for (int i = 0; i < machines; ++i) site.create(machineOf("c1", fmt::format("m{}", i)));
  site.settle();
  REQUIRE(isProvisioned(site));
}

}  // namespace

TEST_CASE("§7, §21 Q8 a Metal3Cluster costs two writes and two passes, and none once it has settled", "[cluster]") {
  ClusterSite site;
  clusterWithMachines(site, 1);
  const auto metal = *site.find<Metal3Cluster>("c1");
  CHECK(kube::hasFinalizer(metal.metadata, api::capm3::finalizer::cluster));
  CHECK(site.writes == kOnePass);
  CHECK(site.passes() == 2);  // the finalizer brings the second, the status none
  site.kill();
  site.start();
  site.settle(1h);
  CHECK(site.writes == kOnePass);
}

TEST_CASE("what Cluster API sets later is waited for, in any order", "[cluster]") {
  ClusterSite site;
  auto metal = metalCluster();
  metal.metadata.ownerReferences.clear();
  site.create(metal);
  site.settle();
  CHECK_FALSE(isProvisioned(site));
  const auto isToldToWait = [&] {
    const auto conditions = site.find<Metal3Cluster>("c1")->status.conditions;
    return kube::findCondition(conditions, "BaremetalInfrastructureReady") != nullptr;
  };
  CHECK_FALSE(isToldToWait());
  const auto setOwner = [&](const std::string& version, const std::string& uid) {
    site.patch<Metal3Cluster>(
        "c1", fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/{}","kind":"Cluster",)"
                          R"("name":"c1","uid":"{}"}}]}}}})",
                          version, uid));
    site.settle();
  };
  SECTION("the Cluster comes first") {
    const std::string uid = site.create(clusterNamed("c1")).metadata.uid;
    site.settle(1min);
    CHECK(isToldToWait());
    CHECK_FALSE(isProvisioned(site));
    setOwner("v1beta2", uid);
  }
  SECTION("the owner reference comes first") {
    setOwner("v1alpha4", "u");  // of a version that is not served here, which garbage collection leaves alone
    CHECK_FALSE(isProvisioned(site));
    const auto waits = site.find<Metal3Cluster>("c1")->status;
    CHECK(waits.deprecated->v1beta1->failureReason == "InvalidConfiguration");
    CHECK(kube::findCondition(waits.conditions, "Ready")->message ==
          "* BaremetalInfrastructureReady: Cluster metal/c1 does not exist");
    site.create(clusterNamed("c1"));
    site.settle();
  }
  CHECK(isProvisioned(site));
}

TEST_CASE("§7 a paused Metal3Cluster is left alone until the pause ends", "[cluster]") {
  ClusterSite site;
  auto cluster = clusterNamed("c1");
  cluster.spec.paused = true;
  site.create(metalCluster(site.create(cluster).metadata.uid));
  site.settle();
  CHECK(isPaused(site));
  CHECK_FALSE(isProvisioned(site));
  CHECK(site.find<Metal3Cluster>("c1")->metadata.finalizers.empty());
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  CHECK_FALSE(isPaused(site));
  CHECK(isProvisioned(site));
  site.patch<Metal3Cluster>("c1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  site.settle();
  CHECK(isPaused(site));
  site.remove<Metal3Cluster>("c1");
  site.settle();
  CHECK(site.find<Metal3Cluster>("c1"));
  site.patch<Metal3Cluster>("c1", R"({"metadata":{"annotations":null}})");
  site.settle();
  CHECK_FALSE(site.find<Metal3Cluster>("c1"));
}

TEST_CASE("§7.1 a deleted Metal3Cluster goes after the last Machine of its Cluster, and says so once", "[cluster]") {
  ClusterSite site;
  clusterWithMachines(site, 3);
  site.create(machineOf("c2", "other"));
  site.conflicts = GENERATE(0U, 1U);
  site.remove<Metal3Cluster>("c1");
  for (int i = 0; i < 3; ++i) {
    site.settle();
    const auto metal = site.find<Metal3Cluster>("c1");
    REQUIRE(metal);
    CHECK(kube::isTrue(metal->status.conditions, "Ready"));
    site.remove<Machine>(fmt::format("m{}", i));
  }
  site.settle();
  CHECK_FALSE(site.find<Metal3Cluster>("c1"));
  CHECK(site.find<Machine>("other"));
  CHECK(site.told("WaitingForMachines") == 1);
}

TEST_CASE("a conflict with Cluster API costs another try and nothing else", "[cluster]") {
  ClusterSite site;
  site.conflicts = 2;
  clusterWithMachines(site, 0);
  CHECK(site.conflicts == 0);
  CHECK(kube::hasFinalizer(site.find<Metal3Cluster>("c1")->metadata, api::capm3::finalizer::cluster));
}

TEST_CASE("a Metal3Cluster whose Cluster is gone goes after the last Machine all the same", "[cluster]") {
  ClusterSite site;
  clusterWithMachines(site, 1);
  site.remove<Cluster>("c1");  // garbage collection deletes what it owns
  site.settle();
  REQUIRE(site.find<Metal3Cluster>("c1"));
  CHECK(site.find<Metal3Cluster>("c1")->metadata.beingDeleted());
  site.remove<Machine>("m0");
  site.settle();
  CHECK_FALSE(site.find<Metal3Cluster>("c1"));
}

TEST_CASE("§7.1 without an owner reference the label says whose Machines keep a Metal3Cluster", "[cluster]") {
  ClusterSite site;
  clusterWithMachines(site, 1);
  site.patch<Metal3Cluster>("c1", R"({"metadata":{"ownerReferences":null}})");
  site.remove<Metal3Cluster>("c1");
  site.settle();
  CHECK(site.find<Metal3Cluster>("c1"));
  site.remove<Machine>("m0");
  site.settle();
  CHECK_FALSE(site.find<Metal3Cluster>("c1"));
}

TEST_CASE("a Machine that cannot be read keeps the Metal3Cluster until it is gone", "[cluster]") {
  ClusterSite site;
  clusterWithMachines(site, 0);
  site.kill();
  site.unreadable.add(Machine::info.resource(), {"metal", "broken"});
  site.start();
  site.remove<Metal3Cluster>("c1");
  site.settle(10min);
  CHECK(site.find<Metal3Cluster>("c1"));
  site.create(machineOf("c2", "broken"));  // it can be read again, and is another Cluster's
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Cluster>("c1"));
  CHECK(site.told("WaitingForMachines") == 1);
}

TEST_CASE("a Cluster that cannot be read may be paused", "[cluster]") {
  ClusterSite site;
  site.kill();
  site.unreadable.add(Cluster::info.resource(), {"metal", "c1"});
  site.start();
  auto metal = metalCluster();
  metal.metadata.ownerReferences.clear();
  site.create(metal);
  site.settle(10min);
  CHECK(site.writes.empty());
  site.create(clusterNamed("c1"));
  site.settle(1min);
  CHECK_FALSE(site.writes.empty());
}

TEST_CASE("a Cluster that no watch has shown yet is not missed: it may be paused", "[cluster]") {
  ClusterSite site;
  site.kill();
  site.heldWatch = "/clusters";
  site.watchHeldFor = 10min;
  site.start();
  site.settle();
  auto cluster = clusterNamed("c1");
  cluster.spec.paused = true;
  site.create(metalCluster(site.create(cluster).metadata.uid));
  site.settle(30s);
  CHECK(site.writes.empty());
  site.settle(11min);
  CHECK(isPaused(site));
  CHECK_FALSE(isProvisioned(site));
}

TEST_CASE("somebody else's finalizer is somebody else's wait", "[cluster]") {
  ClusterSite site;
  clusterWithMachines(site, 0);
  site.patch<Metal3Cluster>("c1", R"({"metadata":{"finalizers":["example.com/theirs"]}})");
  site.settle();
  site.patch<Metal3Cluster>(
      "c1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""},"finalizers":["example.com/theirs"]}})");
  site.settle();
  site.remove<Metal3Cluster>("c1");
  site.create(machineOf("c1", "late"));
  site.patch<Metal3Cluster>("c1", R"({"metadata":{"annotations":null}})");
  site.writes.clear();
  site.settle();
  CHECK(site.find<Metal3Cluster>("c1"));
  CHECK(site.told("WaitingForMachines") == 0);
  CHECK(site.writes.empty());
}

TEST_CASE("§7 an externally managed Metal3Cluster is never written to", "[cluster]") {
  ClusterSite site;
  auto metal = metalCluster(site.create(clusterNamed("c1")).metadata.uid);
  metal.metadata.annotations[std::string(api::capm3::annotation::managedBy)] = "it";
  site.create(metal);
  site.settle();
  CHECK(site.writes.empty());
  // Admission lets it go with an object that moves away alone.
  const std::string leaving = "clusterctl.cluster.x-k8s.io/delete-for-move";
  site.patch<Metal3Cluster>(
      "c1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/managed-by":null,")" + leaving + R"(":""}}})");
  site.patch<Metal3Cluster>("c1", R"({"metadata":{"annotations":null}})");
  site.settle();
  CHECK(isProvisioned(site));
}

TEST_CASE("a watch filter leaves the Metal3Clusters of other managers alone", "[cluster]") {
  ClusterSite site;
  site.kill();
  site.watchFilter = "ours";
  site.start();
  const std::string uid = site.create(clusterNamed("c1")).metadata.uid;
  for (const std::string whose : {"ours", "theirs"}) {
    auto metal = metalCluster(uid);
    metal.metadata.name = whose;
    metal.metadata.labels[std::string(api::capm3::label::watchFilter)] = whose;
    site.create(metal);
  }
  site.settle();
  CHECK(isProvisioned(site, "ours"));
  CHECK_FALSE(isProvisioned(site, "theirs"));
}

TEST_CASE("a Metal3Cluster as upstream's manager leaves it is taken over without a write", "[cluster]") {
  ClusterSite site;
  site.kill();
  auto metal = metalCluster(site.create(clusterNamed("c1")).metadata.uid);
  metal.spec.cloudProviderEnabled = false;
  metal.metadata.finalizers.emplace_back(api::capm3::finalizer::cluster);
  site.create(metal);
  site.patchStatus<Metal3Cluster>("c1", json::parse(R"({"status":{
    "conditions":[
      {"type":"Ready","status":"True","reason":"Ready","message":"","observedGeneration":1,"lastTransitionTime":"2026-11-22T04:23:20Z"},
      {"type":"BaremetalInfrastructureReady","status":"True","reason":"Ready","message":"","observedGeneration":1,"lastTransitionTime":"2026-11-22T04:23:20Z"},
      {"type":"Paused","status":"False","reason":"NotPaused","message":"","observedGeneration":1,"lastTransitionTime":"2026-11-22T04:23:20Z"}],
    "deprecated":{"v1beta1":{"conditions":[
      {"type":"Ready","status":"True","lastTransitionTime":"2026-11-22T04:23:20Z"},
      {"type":"BaremetalInfrastructureReady","status":"True","lastTransitionTime":"2026-11-22T04:23:20Z"}]}},
    "initialization":{"provisioned":true},"lastUpdated":"2026-11-22T04:23:21Z"}})"));
  site.start();
  site.settle(1h);
  CHECK(site.writes.empty());
  site.patch<Metal3Cluster>("c1", R"({"spec":{"failureDomains":[{"name":"rack-a"}]}})");
  site.settle();
  CHECK(site.writes == std::vector{kOnePass.back()});
}
