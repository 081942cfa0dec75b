// spec/capm3.md §7, spec/cluster-api.md §1.4
#include "tests/coordinator/cluster/builders.hpp"

#include "kube/runtime/conditions.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::cluster;
using tests::clusterNamed;
using tests::metalCluster;

namespace {

const base::WallTime kNow = base::WallTime(std::chrono::seconds(1'000'000));
const std::string kPausedAnnotation(api::capm3::annotation::paused), kManagedBy(api::capm3::annotation::managedBy);

// "Ready=True/Ready …" of the conditions, in their order.
std::string told(const Metal3Cluster& metal) {
  std::string out;
  for (const auto& c : metal.status.conditions)
    out += fmt::format("{}{}={}/{}", out.empty() ? "" : " ", c.type, c.status, c.reason);
  return out;
}

std::string toldInV1beta1(const Metal3Cluster& metal) {
  std::string out;
  if (!metal.status.deprecated) return out;
  for (const auto& c : metal.status.deprecated->v1beta1->conditions)
    out += fmt::format("{}{}={}/{}", out.empty() ? "" : " ", c.type, c.status, c.reason);
  return out;
}

std::string messageOf(const Metal3Cluster& metal, std::string_view type) {
  const auto* found = kube::findCondition(metal.status.conditions, type);
  return found == nullptr ? "none" : found->message;
}

}  // namespace

TEST_CASE("§7 who may work on a Metal3Cluster", "[cluster]") {
  const Cluster owner = clusterNamed("c1");
  Cluster paused = owner;
  paused.spec.paused = true;
  auto metal = metalCluster();
  CHECK(standingOf(metal, &owner) == Standing::open);
  CHECK(standingOf(metal, nullptr) == Standing::ownerMissing);
  CHECK(standingOf(metal, &paused) == Standing::paused);
  metal.metadata.annotations[kPausedAnnotation] = "";
  CHECK(standingOf(metal, &owner) == Standing::paused);
  CHECK(standingOf(metal, nullptr) == Standing::paused);
  metal.metadata.annotations[kManagedBy] = "";
  CHECK(standingOf(metal, &owner) == Standing::external);
  metal = metalCluster();
  metal.metadata.labels[kManagedBy] = "";
  CHECK(standingOf(metal, &owner) == Standing::external);
  metal = metalCluster();
  metal.metadata.ownerReferences.clear();
  CHECK(standingOf(metal, nullptr) == Standing::ownerless);
}

TEST_CASE("§7 the owner is the Cluster of Cluster API, whatever its version", "[cluster]") {
  auto metal = metalCluster();
  CHECK(ownerOf(metal.metadata) == kube::ObjectKey{"metal", "c1"});
  auto& owner = metal.metadata.ownerReferences.front();
  owner.apiVersion = "cluster.x-k8s.io/v1beta1";
  CHECK(ownerOf(metal.metadata));
  owner.apiVersion = "cluster.x-k8s.io.example.com/v1";
  CHECK_FALSE(ownerOf(metal.metadata));
  owner = {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "ClusterClass", .name = "c1", .uid = "u"};
  CHECK_FALSE(ownerOf(metal.metadata));
  CHECK(clusterOf(metal) == kube::ObjectKey{"metal", "c1"});  // by the label
  metal.metadata.labels.clear();
  CHECK_FALSE(clusterOf(metal));
}

TEST_CASE("§7.2, §7.3, cluster-api §1.4 a Metal3Cluster with an endpoint is provisioned in one pass, in both dialects",
          "[cluster]") {
  auto metal = metalCluster();
  metal.spec.failureDomains.push_back({.name = "rack-a"});
  const Cluster owner = clusterNamed("c1");
  show(metal, &owner, kNow);
  CHECK(metal.status.initialization.provisioned == true);
  CHECK(told(metal) == "Ready=True/Ready BaremetalInfrastructureReady=True/Ready Paused=False/NotPaused");
  CHECK(toldInV1beta1(metal) == "Ready=True/ BaremetalInfrastructureReady=True/");
  CHECK(metal.status.failureDomains == metal.spec.failureDomains);
  CHECK(metal.status.lastUpdated == kNow);
  const auto before = metal.status;
  show(metal, &owner, kNow + std::chrono::hours(1));
  CHECK(metal.status == before);
}

TEST_CASE("§7.2, §21 Q9 an endpoint that is not whole is named, and the error ends with it", "[cluster]") {
  auto metal = metalCluster();
  const Cluster owner = clusterNamed("c1");
  metal.spec.controlPlaneEndpoint = {};
  show(metal, &owner, kNow);
  CHECK_FALSE(metal.status.initialization.provisioned);
  CHECK(told(metal) ==
        "Ready=False/NotReady BaremetalInfrastructureReady=False/InvalidConfiguration Paused=False/NotPaused");
  const std::string message =
      "Invalid Metal3Cluster provided: missing fields from Spec: [ControlPlaneEndpoint.Host ControlPlaneEndpoint.Port]";
  CHECK(messageOf(metal, "BaremetalInfrastructureReady") == message);
  CHECK(metal.status.deprecated->v1beta1->failureReason == "InvalidConfiguration");
  CHECK(metal.status.deprecated->v1beta1->failureMessage == "Invalid Metal3Cluster provided");
  metal.spec.controlPlaneEndpoint = {.host = "192.0.2.10"};
  show(metal, &owner, kNow);
  CHECK_THAT(messageOf(metal, "BaremetalInfrastructureReady"), Catch::EndsWith("[ControlPlaneEndpoint.Port]"));
  metal.spec.controlPlaneEndpoint.port = 6443;
  show(metal, &owner, kNow);
  CHECK(told(metal) == "Ready=True/Ready BaremetalInfrastructureReady=True/Ready Paused=False/NotPaused");
  CHECK_FALSE(metal.status.deprecated->v1beta1->failureReason);
  CHECK_FALSE(metal.status.deprecated->v1beta1->failureMessage);
  metal.spec.controlPlaneEndpoint = {};
  show(metal, &owner, kNow);
  CHECK(metal.status.initialization.provisioned == true);  // never taken back
}

TEST_CASE("a paused Metal3Cluster says why, and nothing else of it changes", "[cluster]") {
  auto metal = metalCluster();
  Cluster owner = clusterNamed("c1");
  show(metal, &owner, kNow);
  const auto before = toldInV1beta1(metal);
  metal.spec.controlPlaneEndpoint = {};
  owner.spec.paused = true;
  show(metal, &owner, kNow);
  CHECK(messageOf(metal, "Paused") == "Cluster spec.paused is set to true");
  metal.metadata.annotations[kPausedAnnotation] = "";
  show(metal, &owner, kNow);
  CHECK(messageOf(metal, "Paused") ==
        "Cluster spec.paused is set to true, Metal3Cluster has the cluster.x-k8s.io/paused annotation");
  CHECK(told(metal) == "Ready=True/Ready BaremetalInfrastructureReady=True/Ready Paused=True/Paused");
  CHECK(toldInV1beta1(metal) == before);
  CHECK_FALSE(metal.status.deprecated->v1beta1->failureReason);
}

TEST_CASE("a pause that ends is over, whatever the Metal3Cluster waits for then", "[cluster]") {
  auto metal = metalCluster();
  metal.metadata.annotations[kPausedAnnotation] = "";
  show(metal, nullptr, kNow);
  CHECK(told(metal) == "Ready=Unknown/ReadyUnknown Paused=True/Paused");
  metal.metadata.annotations.clear();
  show(metal, nullptr, kNow);
  CHECK(told(metal) ==
        "Ready=False/NotReady BaremetalInfrastructureReady=False/FailedToGetOwnerCluster Paused=False/NotPaused");
}

TEST_CASE("§7 a Metal3Cluster that was provisioned is so again once it names no Cluster that is gone", "[cluster]") {
  auto metal = metalCluster();
  const Cluster owner = clusterNamed("c1");
  show(metal, &owner, kNow);
  const std::string provisioned = toldInV1beta1(metal);
  show(metal, nullptr, kNow);
  REQUIRE_THAT(told(metal), Catch::Contains("False/FailedToGetOwnerCluster"));
  metal.metadata.ownerReferences.clear();
  show(metal, nullptr, kNow);
  CHECK(told(metal) == "Ready=True/Ready BaremetalInfrastructureReady=True/Ready Paused=False/NotPaused");
  CHECK(toldInV1beta1(metal) == provisioned);
}

TEST_CASE("our own status write makes no new pass, anything else does", "[cluster]") {
  const auto before = metalCluster();
  auto after = before;
  after.metadata.resourceVersion = "7";
  after.status.initialization.provisioned = true;
  CHECK_FALSE(mattersToCluster(before, after));
  SECTION("the spec") { ++after.metadata.generation; }
  SECTION("an annotation") { after.metadata.annotations[kPausedAnnotation] = ""; }
  SECTION("its owner") { after.metadata.ownerReferences.clear(); }
  SECTION("its deletion") { after.metadata.deletionTimestamp = kNow; }
  CHECK(mattersToCluster(before, after));
}

TEST_CASE("§7, §21 Q7 a Metal3Cluster without its Cluster waits, and says for what", "[cluster]") {
  auto metal = metalCluster();
  metal.metadata.creationTimestamp = kNow - std::chrono::minutes(1);
  SECTION("no owner reference yet") {
    metal.metadata.ownerReferences.clear();
    show(metal, nullptr, kNow);
    CHECK(told(metal) == "Ready=False/NotReady BaremetalInfrastructureReady=False/WaitingForClusterOwnerRef");
    CHECK(messageOf(metal, "Ready") ==
          "* BaremetalInfrastructureReady: Waiting for Cluster Controller to set OwnerRef on Metal3Cluster");
    CHECK(toldInV1beta1(metal) ==
          "Ready=False/WaitingForClusterOwnerRef BaremetalInfrastructureReady=False/WaitingForClusterOwnerRef");
  }
  SECTION("none is missed yet") {
    metal.metadata.ownerReferences.clear();
    metal.metadata.creationTimestamp = kNow - std::chrono::seconds(59);
    show(metal, nullptr, kNow);
    CHECK(untilOwnerIsMissed(metal, kNow) == std::chrono::seconds(1));
    CHECK(told(metal) == "Ready=Unknown/ReadyUnknown");
    CHECK(toldInV1beta1(metal).empty());
    show(metal, nullptr, kNow + std::chrono::seconds(1));
    CHECK_THAT(told(metal), Catch::EndsWith("=False/WaitingForClusterOwnerRef"));
  }
  SECTION("it was provisioned, and its owner reference is gone") {
    const Cluster owner = clusterNamed("c1");
    show(metal, &owner, kNow);
    metal.metadata.ownerReferences.clear();
    show(metal, nullptr, kNow);
    CHECK(told(metal) == "Ready=True/Ready BaremetalInfrastructureReady=True/Ready Paused=False/NotPaused");
  }
  SECTION("the owner does not exist") {
    show(metal, nullptr, kNow);
    CHECK(told(metal) == "Ready=False/NotReady BaremetalInfrastructureReady=False/FailedToGetOwnerCluster");
    CHECK(messageOf(metal, "Ready") == "* BaremetalInfrastructureReady: Cluster metal/c1 does not exist");
    CHECK(toldInV1beta1(metal) ==
          "Ready=False/InternalFailureOccured BaremetalInfrastructureReady=False/InternalFailureOccured");
    CHECK(metal.status.deprecated->v1beta1->failureMessage == "Unable to get owner cluster");
    CHECK(metal.status.deprecated->v1beta1->conditions.back().message == "Cluster metal/c1 does not exist");
    SECTION("and is there later") {
      const Cluster owner = clusterNamed("c1");
      show(metal, &owner, kNow);
      CHECK(told(metal) == "Ready=True/Ready BaremetalInfrastructureReady=True/Ready Paused=False/NotPaused");
      CHECK(toldInV1beta1(metal) == "Ready=True/ BaremetalInfrastructureReady=True/");
    }
    SECTION("and is named no more") {
      metal.metadata.ownerReferences.clear();
      show(metal, nullptr, kNow);
      CHECK_THAT(toldInV1beta1(metal), Catch::EndsWith("BaremetalInfrastructureReady=False/WaitingForClusterOwnerRef"));
    }
    CHECK_FALSE(metal.status.deprecated->v1beta1->failureReason);
  }
}

TEST_CASE("§7.1, §8.2, §21 Q28 a Metal3Cluster stays ready while it is deleted, for its machines' sake", "[cluster]") {
  auto metal = metalCluster();
  const Cluster owner = clusterNamed("c1");
  show(metal, &owner, kNow);
  const auto before = toldInV1beta1(metal);
  metal.metadata.deletionTimestamp = kNow;
  metal.spec.controlPlaneEndpoint = {};
  show(metal, &owner, kNow);
  show(metal, nullptr, kNow);
  CHECK(told(metal) == "Ready=True/Ready BaremetalInfrastructureReady=True/Ready Paused=False/NotPaused");
  CHECK(toldInV1beta1(metal) == before);
}
