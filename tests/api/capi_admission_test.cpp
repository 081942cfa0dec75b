// Defaults and rules of Clusters and Machines.
#include "api/capi/admission.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using api::capi::v1beta2::Cluster;
using api::capi::v1beta2::Machine;

namespace {

Cluster cluster() {
  Cluster out;
  out.metadata.name = "prod";
  out.spec.infrastructureRef = {"infrastructure.cluster.x-k8s.io", "Metal3Cluster", "prod"};
  return out;
}

Machine machine() {
  Machine out;
  out.metadata.name = "m";
  out.spec.clusterName = "prod";
  out.spec.bootstrap.dataSecretName = "m";
  out.spec.infrastructureRef = {"infrastructure.cluster.x-k8s.io", "Metal3Machine", "m"};
  return out;
}

// "field: message" of each violation.
std::vector<std::string> said(const api::Verdict& verdict) {
  std::vector<std::string> out;
  for (const auto& cause : verdict.fields.all()) out.push_back(cause.field + ": " + cause.message);
  return out;
}
using Said = std::vector<std::string>;

Said ofVersion(std::string version) {
  auto one = machine();
  one.spec.version = std::move(version);
  return said(admitCreate(one));
}

Said ofTaint(std::string key) {
  auto one = machine();
  one.spec.taints.push_back({.key = std::move(key), .effect = "NoSchedule", .propagation = "Always"});
  return said(admitCreate(one));
}

}  // namespace

TEST_CASE("a Machine gets its Cluster's label, a version with v, and ten seconds to delete its node", "[admission]") {
  auto one = machine();
  one.spec.version = "1.34.1";
  setDefaults(one);
  CHECK(one.metadata.labels.at("cluster.x-k8s.io/cluster-name") == "prod");
  CHECK(one.spec.version == "v1.34.1");
  CHECK(one.spec.deletion.nodeDeletionTimeoutSeconds == 10);
  one.spec.deletion.nodeDeletionTimeoutSeconds = 0;
  setDefaults(one);
  CHECK(one.spec.deletion.nodeDeletionTimeoutSeconds == 0);
  CHECK(admitCreate(one).allowed());
  CHECK(admitUpdate(one, one).allowed());
}

TEST_CASE("a Machine says where its bootstrap data come from, but for a MachinePool's", "[admission]") {
  auto one = machine();
  one.spec.bootstrap.dataSecretName = std::nullopt;
  CHECK(said(admitCreate(one)) == Said{"spec.bootstrap: Required value: expected either spec.bootstrap.dataSecretName "
                                       "or spec.bootstrap.configRef to be populated"});
  auto pooled = one;
  pooled.metadata.ownerReferences.push_back({.kind = "MachinePool"});
  CHECK(admitCreate(pooled).allowed());
  one.spec.bootstrap.configRef = {"bootstrap.cluster.x-k8s.io", "KubeadmConfig", "m"};
  CHECK(admitCreate(one).allowed());
}

TEST_CASE("a Machine stays in its Cluster", "[admission]") {
  auto moved = machine();
  moved.spec.clusterName = "other";
  CHECK(said(admitUpdate(machine(), moved)) == Said{"spec.clusterName: Forbidden: field is immutable"});
}

TEST_CASE("a Machine's version is semantic", "[admission]") {
  for (const auto* good : {"", "v1.34.1", "v1.34.0-rc.1", "v1.2.3+build.01", "v1.2.3-0a.b-c"}) {
    INFO(good);
    CHECK(ofVersion(good).empty());
  }
  for (const auto* bad :
       {"v", "v1.34", "v1.34.01", "v1.34.1-", "v1.34.1-01", "v1.34.1+", "v1.34.1-a..b", "vv1.34.1", "v1.34.1_2"}) {
    INFO(bad);
    CHECK(ofVersion(bad) ==
          Said{fmt::format("spec.version: Invalid value: \"{}\": must be a valid semantic version", bad)});
  }
  CHECK(ofVersion("1.34.1") == Said{"spec.version: Invalid value: \"1.34.1\": must start with v"});
}

TEST_CASE("taints that Kubernetes sets itself are refused", "[admission]") {
  CHECK(ofTaint("example.com/mine").empty());
  CHECK(ofTaint("node.kubernetes.io/out-of-service").empty());
  for (const auto* key : {"node.cluster.x-k8s.io/uninitialized", "node.cluster.x-k8s.io/outdated-revision",
                          "node.kubernetes.io/not-ready", "node.cloudprovider.kubernetes.io/shutdown",
                          "node-role.kubernetes.io/master"}) {
    INFO(key);
    CHECK(ofTaint(key).size() == 1);
  }
  CHECK(ofTaint("node-role.kubernetes.io/control-plane") ==
        Said{"spec.taints[0].key: Invalid value: \"node-role.kubernetes.io/control-plane\": taint is not allowed for "
             "worker Machines"});
  auto control = machine();
  control.metadata.labels["cluster.x-k8s.io/control-plane"] = "";
  control.spec.taints.push_back({.key = "node-role.kubernetes.io/control-plane", .effect = "NoSchedule"});
  CHECK(admitCreate(control).allowed());
}

TEST_CASE("a Cluster needs something that provides it, and keeps it", "[admission]") {
  CHECK(admitCreate(cluster()).allowed());
  auto bare = cluster();
  bare.spec.infrastructureRef = {};
  const std::string missing =
      "spec: Forbidden: one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set";
  CHECK(said(admitCreate(bare)) == Said{missing});
  CHECK(said(admitUpdate(cluster(), bare)) == Said{missing, "spec.infrastructureRef: Forbidden: cannot be removed"});
  auto both = cluster();
  both.spec.controlPlaneRef = {"controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "prod"};
  both.spec.topology.classRef.name = "metal";
  CHECK(said(admitUpdate(both, cluster())) ==
        Said{"spec.controlPlaneRef: Forbidden: cannot be removed",
             "spec.topology: Forbidden: cannot be removed from an existing Cluster"});
}

TEST_CASE("a Cluster's name is a label's value, its ranges are CIDRs", "[admission]") {
  auto bad = cluster();
  bad.metadata.name = std::string(64, 'a');
  bad.spec.clusterNetwork.pods.cidrBlocks = {"192.168.0.0/18", "10.0.0.0"};
  bad.spec.clusterNetwork.services.cidrBlocks = {"fd00::/129"};
  const auto all = said(admitCreate(bad));
  REQUIRE(all.size() == 3);
  CHECK_THAT(all[0],
             Catch::StartsWith("metadata.name: Invalid value: ") && Catch::Contains("must be a valid label value"));
  CHECK(all[1] ==
        "spec.clusterNetwork.pods.cidrBlocks[1]: Invalid value: \"10.0.0.0\": invalid CIDR address: 10.0.0.0");
  CHECK(all[2] ==
        "spec.clusterNetwork.services.cidrBlocks[0]: Invalid value: \"fd00::/129\": invalid CIDR address: fd00::/129");
}
