#include "tests/coordinator/admission/served.hpp"

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string kOldMachines = Served::collection("cluster.x-k8s.io/v1beta1", "machines"),
                  kNewMachines = Served::collection("cluster.x-k8s.io/v1beta2", "machines");

const std::string kOldMachine = R"(
apiVersion: cluster.x-k8s.io/v1beta1
kind: Machine
metadata: {name: m}
spec:
  clusterName: prod
  version: 1.34.1
  nodeDrainTimeout: 5m0s
  bootstrap: {dataSecretName: m}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: Metal3Machine, name: m}
)";

}  // namespace

TEST_CASE("a Machine written as v1beta1 is stored as v1beta2, with Cluster API's defaults", "[admission]") {
  Served api;
  const auto made = api.create(kOldMachine);
  REQUIRE(made.status == 201);
  CHECK(made.at({"spec", "infrastructureRef", "namespace"}) == "default");
  const auto read = api.get(kNewMachines + "/m");
  CHECK(read.at({"metadata", "labels", "cluster.x-k8s.io/cluster-name"}) == "prod");
  CHECK(read.at({"spec", "version"}) == "v1.34.1");
  CHECK(read.at({"spec", "infrastructureRef", "apiGroup"}) == "infrastructure.cluster.x-k8s.io");
  CHECK(json::intAt(read.json(), {"spec", "deletion", "nodeDrainTimeoutSeconds"}) == 300);
  CHECK(json::intAt(read.json(), {"spec", "deletion", "nodeDeletionTimeoutSeconds"}) == 10);

  // What v1beta1 cannot say survives a client of it.
  CHECK(api.patch(kNewMachines + "/m", R"({"spec":{"minReadySeconds":7}})").status == 200);
  CHECK(api.patch(kOldMachines + "/m", R"({"spec":{"providerID":"metal3://x"}})").status == 200);
  CHECK(json::intAt(api.get(kNewMachines + "/m").json(), {"spec", "minReadySeconds"}) == 7);
  const auto refused = api.patch(kOldMachines + "/m", R"({"spec":{"clusterName":"other"}})");
  CHECK(refused.status == 422);
  CHECK(refused.at({"message"}).find("spec.clusterName: Forbidden: field is immutable") != std::string::npos);
}

TEST_CASE("a Cluster is judged by its schema and by its rules", "[admission]") {
  Served api;
  const auto cluster = [](const std::string& spec) {
    return "{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: c}, spec: " + spec + "}";
  };
  CHECK(api.create(cluster("{}")).at({"message"}).find("spec: Invalid value") != std::string::npos);
  CHECK(api.create(cluster("{paused: true}"))
            .at({"message"})
            .find("spec.infrastructureRef or spec.topology must be set") != std::string::npos);
  const auto reserved =
      api.create(cluster("{topology: {classRef: {name: k}, version: v1.34.1, controlPlane: {healthCheck: {checks: "
                         "{unhealthyMachineConditions: [{type: Ready, status: Unknown, timeoutSeconds: 1}]}}}}}"));
  CHECK(reserved.at({"message"}).find("type must not be one of: Ready, Available") != std::string::npos);
  CHECK(api.create(cluster("{infrastructureRef: {apiGroup: g.example, kind: Thing, name: one}}")).status == 201);
}
