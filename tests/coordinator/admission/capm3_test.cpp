// Rules and conversion of the Cluster API provider's kinds on a whole API (spec/capm3.md §4, §5, spec/cluster-api.md
// §1.9).
#include "tests/coordinator/admission/served.hpp"

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string kTemplateV1 = R"(
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: Metal3MachineTemplate
metadata: {name: workers}
spec:
  nodeReuse: true
  template:
    spec:
      image: {url: "http://images/i.raw", checksum: "http://images/sums", checksumType: sha256, format: raw}
      hostSelector: {matchLabels: {rack: a}}
)";

const std::string kOldTemplates = Served::collection(kInfra + "v1beta1", "metal3machinetemplates"),
                  kNewTemplates = Served::collection(kInfra + "v1beta2", "metal3machinetemplates");

std::string cluster(const std::string& version, const std::string& endpoint) {
  return fmt::format(
      "{{apiVersion: infrastructure.cluster.x-k8s.io/{}, kind: Metal3Cluster, metadata: {{name: c}}, spec: "
      "{{controlPlaneEndpoint: {}}}}}",
      version, endpoint);
}

}  // namespace

TEST_CASE("§4 a machine template written as v1beta1 is read as v1beta2, and the other way round", "[admission]") {
  Served api;
  const auto made = api.create(kTemplateV1);
  REQUIRE(made.status == 201);
  CHECK(made.headers.get("Warning").find("is deprecated") != std::string::npos);
  CHECK(made.at({"spec", "template", "spec", "image", "format"}) == "raw");

  const auto read = api.get(kNewTemplates + "/workers");
  CHECK(read.at({"apiVersion"}) == kInfra + "v1beta2");
  CHECK(read.at({"spec", "template", "spec", "image", "diskFormat"}) == "raw");
  CHECK(read.at({"spec", "template", "spec", "hostSelector", "matchLabels", "rack"}) == "a");
  CHECK(api.patch(kNewTemplates + "/workers", R"({"spec":{"template":{"metadata":{"labels":{"a":"b"}}}}})").status ==
        200);
  const auto old = api.get(kOldTemplates + "/workers");
  CHECK(old.at({"metadata", "annotations", "cluster.x-k8s.io/conversion-data"}).find(R"("a":"b")") !=
        std::string::npos);

  // Written back by a client of v1beta1, annotation and all: what v1beta1 cannot say is still there.
  json::Value body = old.json();
  json::makeObjectAt(body, {"spec"})["nodeReuse"] = false;
  CHECK(api.send("PUT", kOldTemplates + "/workers", json::serialize(body)).status == 200);
  const auto again = api.get(kNewTemplates + "/workers");
  CHECK(again.at({"spec", "template", "metadata", "labels", "a"}) == "b");
  CHECK_FALSE(json::find(again.json(), {"metadata", "annotations", "cluster.x-k8s.io/conversion-data"}));
}

TEST_CASE("a conversion annotation that nobody can read refuses the write and names itself", "[admission]") {
  Served api;
  REQUIRE(api.create(kTemplateV1).status == 201);
  const auto refused =
      api.patch(kOldTemplates + "/workers", R"({"metadata":{"annotations":{"cluster.x-k8s.io/conversion-data":"{"}}})");
  CHECK(refused.status == 500);
  CHECK(refused.at({"message"})
            .starts_with("conversion webhook for infrastructure.cluster.x-k8s.io/v1beta1, "
                         "Kind=Metal3MachineTemplate failed: annotation cluster.x-k8s.io/"));
  CHECK(api.get(kOldTemplates + "/workers").status == 200);
}

TEST_CASE("§5 a cluster's port comes by default, in both versions", "[admission]") {
  for (const auto* version : {"v1beta1", "v1beta2"}) {
    Served api;
    const auto made = api.create(
        cluster(version, version == std::string_view("v1beta1") ? "{host: 10.0.0.5, port: 0}" : "{host: 10.0.0.5}"));
    REQUIRE(made.status == 201);
    CHECK(json::intAt(made.json(), {"spec", "controlPlaneEndpoint", "port"}) == 6443);
    CHECK(json::boolAt(made.json(), {"spec", "cloudProviderEnabled"}) == false);
  }
}

TEST_CASE("§5 what admission has against an object of CAPM3 comes as its webhook words it", "[admission]") {
  struct Row {
    std::string kind, spec, cause, text;
  };
  const Row rows[] = {
      {"Metal3Machine", "{image: {url: 'http://i/x', diskFormat: raw}}", "Spec.Image.Checksum", "Required value"},
      {"Metal3Machine", "{customDeploy: {method: m}, userData: {name: s, namespace: elsewhere}}",
       "spec.userData.namespace", "cross-namespace secret references are not allowed"},
      {"Metal3DataClaim", "{template: {name: t, namespace: elsewhere}}", "spec.template.namespace", ""},
      {"Metal3Data", "{index: 3, template: {name: t}, claim: {name: c}}", "name", ""},
  };
  Served api;
  for (const auto& row : rows) {
    INFO(row.kind << " " << row.spec);
    const auto refused = api.create(fmt::format(
        "{{apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: {}, metadata: {{name: x}}, spec: {}}}", row.kind,
        row.spec));
    INFO(refused.text);
    CHECK(refused.status == 422);
    CHECK(refused.at({"reason"}) == "Invalid");
    CHECK(refused.at({"details", "kind"}) == row.kind);
    CHECK(refused.at({"message"}).starts_with("admission webhook \"validation.metal3"));
    CHECK(refused.at({"message"}).find("denied the request: " + row.kind + "." + "infrastructure.cluster.x-k8s.io") !=
          std::string::npos);
    CHECK(refused.text.find(row.text) != std::string::npos);
    CHECK(json::textAt(refused.json().at("details").at("causes").at(0), {"field"}) == row.cause);
  }
}

TEST_CASE("an object of v1beta1 is judged by the rules of v1beta2", "[admission]") {
  Served api;
  std::string body = kTemplateV1;
  body.replace(body.find(", checksum: \"http://images/sums\""), 32, "");
  const auto refused = api.create(body);
  INFO(refused.text);
  CHECK(refused.status == 422);
  CHECK(refused.text.find("hecksum") != std::string::npos);
}

TEST_CASE("§5 a data template's content stays as it is; its deprecated cluster name earns a warning", "[admission]") {
  Served api;
  const auto made = api.create(R"(
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3DataTemplate
metadata: {name: t}
spec: {clusterName: c, metaData: {strings: [{key: a, value: b}]}}
)");
  REQUIRE(made.status == 201);
  CHECK(made.headers.get("Warning").find("spec.clusterName is deprecated") != std::string::npos);
  const std::string path = Served::collection(kInfra + "v1beta2", "metal3datatemplates") + "/t";
  const auto refused = api.patch(path, R"({"spec":{"metaData":{"strings":[{"key":"a","value":"c"}]}}})");
  CHECK(refused.status == 422);
  CHECK(refused.text.find("cannot be modified") != std::string::npos);
  CHECK(api.patch(path, R"({"spec":{"clusterName":"d"}})").status == 200);
}

TEST_CASE("a status is nobody's to refuse", "[admission]") {
  Served api;
  REQUIRE(api.create(cluster("v1beta2", "{host: 10.0.0.5, port: 6443}")).status == 201);
  const std::string path = Served::collection(kInfra + "v1beta2", "metal3clusters") + "/c/status";
  CHECK(api.patch(path, R"({"status":{"initialization":{"provisioned":true}}})").status == 200);
  const auto old = api.get(Served::collection(kInfra + "v1beta1", "metal3clusters") + "/c");
  CHECK(json::boolAt(old.json(), {"status", "ready"}) == true);
}

// cluster-template.yaml of a release, filled in with example_variables.rc.
TEST_CASE("§20.6 what upstream's cluster template makes of its variables is taken as it is", "[admission]") {
  Served api;
  const std::string infra = "{apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: ";
  REQUIRE(api.create(infra +
                     "Metal3Cluster, metadata: {name: test1}, spec: {controlPlaneEndpoint: {host: 192.168.111.249, "
                     "port: 6443}, cloudProviderEnabled: false}}")
              .status == 201);
  for (const std::string role : {"controlplane", "workers"}) {
    REQUIRE(
        api.create(
               infra + "Metal3MachineTemplate, metadata: {name: test1-" + role +
               "}, spec: {nodeReuse: false, template: {spec: {automatedCleaningMode: metadata, dataTemplate: {name: "
               "test1-" +
               role +
               "-template}, image: {checksum: 'http://172.22.0.1/images/i.qcow2.md5sum', checksumType: md5, "
               "format: raw, url: 'http://172.22.0.1/images/i.qcow2'}}}}}")
            .status == 201);
    REQUIRE(api.create(infra + "Metal3DataTemplate, metadata: {name: test1-" + role +
                       "-template}, spec: {clusterName: test1}}")
                .status == 201);
    const auto stored = api.get(kNewTemplates + "/test1-" + role);
    CHECK(stored.at({"spec", "template", "spec", "image", "diskFormat"}) == "raw");
    CHECK(stored.at({"spec", "template", "spec", "dataTemplate", "name"}) == "test1-" + role + "-template");
    CHECK(stored.at({"spec", "template", "spec", "automatedCleaningMode"}) == "metadata");
  }
  const auto stored = api.get(Served::collection(kInfra + "v1beta2", "metal3clusters") + "/test1");
  CHECK(json::boolAt(stored.json(), {"spec", "cloudProviderEnabled"}) == false);
}

TEST_CASE("§21 Q3 a manifest that knows only noCloudProvider gets the documented default", "[admission]") {
  Served api;
  const auto made = api.create(
      "{apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: Metal3Cluster, metadata: {name: c}, spec: "
      "{controlPlaneEndpoint: {host: 10.0.0.5, port: 6443}, noCloudProvider: false}}");
  REQUIRE(made.status == 201);
  const auto stored = api.get(Served::collection(kInfra + "v1beta2", "metal3clusters") + "/c");
  CHECK(json::boolAt(stored.json(), {"spec", "cloudProviderEnabled"}) == false);
}

TEST_CASE("§5, §21 Q5 a claim without a template is refused, a template without a strategy gets the defaults",
          "[admission]") {
  Served api;
  const std::string infra = "{apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: ";
  const auto refused = api.create(infra + "Metal3DataClaim, metadata: {name: c}, spec: {}}");
  INFO(refused.text);
  CHECK(refused.status == 422);
  CHECK(refused.text.find("spec.template") != std::string::npos);
  const auto made = api.create(infra + "Metal3RemediationTemplate, metadata: {name: r}, spec: {template: {spec: {}}}}");
  INFO(made.text);
  REQUIRE(made.status == 201);
  CHECK(made.at({"spec", "template", "spec", "strategy", "type"}) == "Reboot");
  CHECK(json::intAt(made.json(), {"spec", "template", "spec", "strategy", "retryLimit"}) == 1);
  CHECK(json::intAt(made.json(), {"spec", "template", "spec", "strategy", "timeoutSeconds"}) == 600);
}

TEST_CASE("§5, cluster-api §1.9 a Metal3Cluster that somebody else manages stays theirs, unless it moves away",
          "[admission]") {
  Served api;
  const std::string clusters = Served::collection(kInfra + "v1beta2", "metal3clusters");
  REQUIRE(api.create(cluster("v1beta2", "{host: 192.0.2.9, port: 6443}")).status == 201);
  const auto annotate = [&](const std::string& annotations) {
    return api.patch(clusters + "/c", R"({"metadata":{"annotations":)" + annotations + "}}");
  };
  CHECK(annotate(R"({"cluster.x-k8s.io/managed-by":"it"})").status == 200);
  CHECK(annotate(R"({"cluster.x-k8s.io/managed-by":"another"})").status == 200);
  const auto refused = annotate(R"({"cluster.x-k8s.io/managed-by":null})");
  CHECK(refused.status == 422);
  CHECK_THAT(refused.at({"message"}), Catch::Contains("metadata.annotations[cluster.x-k8s.io/managed-by]: Forbidden: "
                                                      "cannot be removed"));
  CHECK(api.patch(clusters + "/c",
                  R"([{"op":"replace","path":"/metadata/annotations",
                       "value":{"clusterctl.cluster.x-k8s.io/delete-for-move":""}}])",
                  apiserver::tests::kJsonPatch)
            .status == 200);
}
