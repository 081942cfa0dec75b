// Cluster API's own kinds on a whole API (spec/cluster-api.md §1.14).
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

namespace {

const std::string kOldClaims = Served::collection("ipam.cluster.x-k8s.io/v1beta1", "ipaddressclaims"),
                  kNewClaims = Served::collection("ipam.cluster.x-k8s.io/v1beta2", "ipaddressclaims");

std::string claimWritten(const std::string& version, const std::string& pool) {
  return fmt::format(
      "{{apiVersion: ipam.cluster.x-k8s.io/{}, kind: IPAddressClaim, metadata: {{name: c}}, "
      "spec: {{clusterName: prod, poolRef: {{apiGroup: ipam.metal3.io, kind: IPPool, name: {}}}}}}}",
      version, pool);
}

std::string addressWritten(const std::string& spec) {
  return "{apiVersion: ipam.cluster.x-k8s.io/v1beta2, kind: IPAddress, metadata: {name: a}, spec: {claimRef: {name: "
         "c}, " +
         spec + "}}";
}

}  // namespace

TEST_CASE("cluster-api §1.14 a claim written as v1beta1 is stored as v1beta2, and keeps its pool", "[admission]") {
  Served api;
  REQUIRE(api.send("POST", kOldClaims, json::serialize(json::parseYamlValue(claimWritten("v1beta1", "p")))).status ==
          201);
  REQUIRE(api.patch(kNewClaims + "/c/status", R"({"status":{"addressRef":{"name":"p-1"},"conditions":[{"type":"Ready",
      "status":"True","reason":"Ready","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})")
              .status == 200);
  const auto old = api.get(kOldClaims + "/c");
  CHECK(old.at({"spec", "poolRef", "apiGroup"}) == "ipam.metal3.io");
  CHECK(old.at({"status", "addressRef", "name"}) == "p-1");
  CHECK(json::findPath(old.json(), "status.v1beta2.conditions[0].type")->get_string() == "Ready");
  const auto moved = api.patch(kOldClaims + "/c", R"({"spec":{"poolRef":{"name":"q"}}})");
  CHECK(moved.status == 403);
  CHECK(moved.at({"message"}) ==
        "admission webhook \"validation.ipaddressclaim.ipam.cluster.x-k8s.io\" denied the request: spec: Forbidden: "
        "IPAddressClaim spec is immutable");
  CHECK(api.patch(kOldClaims + "/c", R"({"metadata":{"labels":{"a":"b"}}})").status == 200);
}

TEST_CASE("cluster-api §1.14 an address is one, of its claim's pool, and stays as it is", "[admission]") {
  const std::string pool = "poolRef: {apiGroup: ipam.metal3.io, kind: IPPool, name: p}, ";
  Served api;
  const auto said = [&](const std::string& spec) { return api.create(addressWritten(spec)).at({"message"}); };
  CHECK_THAT(said(pool + "address: nine, prefix: 24"),
             Catch::Contains("spec.address: Invalid value: \"nine\": not a valid IP address"));
  CHECK_THAT(said(pool + "address: 10.0.0.9, prefix: 33"),
             Catch::Contains("spec.prefix: Invalid value: 33: prefix is too large for an IPv4 address"));
  CHECK_THAT(said(pool + "address: 10.0.0.9, prefix: 24, gateway: gate"),
             Catch::Contains("spec.gateway: Invalid value: \"gate\": not a valid IP address"));
  CHECK_THAT(said("poolRef: {kind: IPPool, name: p}, address: 10.0.0.9, prefix: 24"),
             Catch::Contains("spec.poolRef.apiGroup"));
  REQUIRE(api.send("POST", kNewClaims, json::serialize(json::parseYamlValue(claimWritten("v1beta2", "q")))).status ==
          201);
  CHECK_THAT(said(pool + "address: 10.0.0.9, prefix: 24"),
             Catch::Contains("spec.poolRef: Invalid value: ") &&
                 Catch::Contains("different from the pool referenced by the claim this address should fulfill"));
  REQUIRE(api.send("DELETE", kNewClaims + "/c", "").status == 200);
  REQUIRE(api.create(addressWritten(pool + "address: fe80::9%eth0, prefix: 64")).status == 201);
  const std::string addresses = Served::collection("ipam.cluster.x-k8s.io/v1beta2", "ipaddresses");
  CHECK_THAT(api.patch(addresses + "/a", R"({"spec":{"prefix":48}})").at({"message"}),
             Catch::Contains("spec: Forbidden: IPAddress spec is immutable"));
  CHECK(json::intAt(api.get(Served::collection("ipam.cluster.x-k8s.io/v1beta1", "ipaddresses") + "/a").json(),
                    {"spec", "prefix"}) == 64);
}
