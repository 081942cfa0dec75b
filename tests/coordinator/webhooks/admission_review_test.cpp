// What admission webhooks answer (spec/capm3.md §5, spec/ipam.md §7, spec/baremetalhost.md §4, spec/kubernetes-api.md
// §9).
#include "tests/coordinator/webhooks/reviews.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace ingot::tests;
using Catch::Contains;
using coordinator::webhooks::BadRequest;

namespace {

const std::string kCluster = "infrastructure-cluster-x-k8s-io-v1beta2-metal3cluster";

json::Value cluster(const std::string& spec) {
  return json::parseYamlValue("{apiVersion: " + kInfra +
                              "v1beta2, kind: Metal3Cluster, metadata: {name: c, namespace: metal}, spec: " + spec +
                              "}");
}

json::Value attachment(int vlan) {
  return json::parseYamlValue(
      fmt::format("{{apiVersion: metal3.io/v1alpha1, kind: HostNetworkAttachment, metadata: {{name: net, "
                  "namespace: metal}}, spec: {{mode: access, nativeVLAN: {}}}}}",
                  vlan));
}

// One host, attached to the network `net` of namespace metal.
class OneHost final : public coordinator::OtherObjects {
 public:
  void eachMentioning(const kube::KindInfo& kind, const std::string& name, const std::optional<std::string>&,
                      const Visit& visit) const override {
    CHECK(kind.kind == "BareMetalHost");
    CHECK(name == "net");
    visit(json::parseYamlValue(
        "{apiVersion: metal3.io/v1alpha1, kind: BareMetalHost, metadata: {name: h, namespace: metal}, spec: "
        "{online: true, networkInterfaces: [{name: eth0, hostNetworkAttachment: {name: net}}]}}"));
  }
};

}  // namespace

TEST_CASE("capm3 §5, ipam §7 every path that the managers of Metal3 register is served", "[webhooks]") {
  std::set<std::string> served;
  for (const auto& path : coordinator::webhooks::admissionPaths()) served.insert(path.path);
  const std::string infra = "infrastructure-cluster-x-k8s-io-v1beta2-metal3";
  for (const std::string kind : {"cluster", "clustertemplate", "machine", "machinetemplate", "data", "dataclaim",
                                 "datatemplate", "remediation", "remediationtemplate"})
    CHECK(served.contains(fmt::format("/validate-{}{}", infra, kind)));
  for (const std::string kind : {"cluster", "remediationtemplate"})
    CHECK(served.contains(fmt::format("/mutate-{}{}", infra, kind)));
  for (const std::string kind : {"ippool", "ipclaim", "ipaddress"}) {
    CHECK(served.contains("/validate-ipam-metal3-io-v1alpha1-" + kind));
    CHECK(served.contains("/mutate-ipam-metal3-io-v1alpha1-" + kind));
  }
  for (const std::string kind : {"baremetalhost", "bmceventsubscription", "dataimage", "hostclaim",
                                 "hostfirmwarecomponents", "hostnetworkattachment"})
    CHECK(served.contains("/validate-metal3-io-v1alpha1-" + kind));
}

TEST_CASE("a denial carries uid, code, reason and causes, and leaves the webhook's name to the server", "[webhooks]") {
  const json::Value out = answerAt("/validate-" + kCluster, {.object = cluster("{}")});
  CHECK(json::textAt(out, {"kind"}) == "AdmissionReview");
  CHECK(json::textAt(out, {"apiVersion"}) == "admission.k8s.io/v1");
  CHECK(json::textAt(out, {"response", "uid"}) == "705ab4f5-6393-11e8-b7cc-42010a800002");
  CHECK_FALSE(isAllowed(out));
  CHECK(json::intAt(out, {"response", "status", "code"}) == 422);
  CHECK(json::textAt(out, {"response", "status", "reason"}) == "Invalid");
  CHECK_THAT(messageIn(out), Catch::StartsWith("Metal3Cluster.infrastructure.cluster.x-k8s.io \"c\" is invalid: "
                                               "spec.controlPlaneEndpoint: "));
  const auto* causes = json::arrayAt(out, {"response", "status", "details", "causes"});
  REQUIRE(causes);
  CHECK(json::textAt(causes->at(0), {"field"}) == "spec.controlPlaneEndpoint");
}

TEST_CASE("capm3 §5 defaults are a JSON patch of what was missing", "[webhooks]") {
  const json::Value sent = cluster("{controlPlaneEndpoint: {host: 10.0.0.1}, unknown: {kept: true}}");
  const json::Value out = answerAt("/mutate-" + kCluster, {.object = sent});
  CHECK(isAllowed(out));
  CHECK(json::textAt(out, {"response", "patchType"}) == "JSONPatch");
  const json::Value expected = cluster(
      "{controlPlaneEndpoint: {host: 10.0.0.1, port: 6443}, cloudProviderEnabled: false, unknown: {kept: true}}");
  CHECK(json::equal(patched(sent, out), expected));
}

TEST_CASE("what has its defaults, and what has none, gets no patch", "[webhooks]") {
  const json::Value whole =
      cluster("{controlPlaneEndpoint: {host: 10.0.0.1, port: 6443}, cloudProviderEnabled: false}");
  for (const auto& out : {answerAt("/mutate-" + kCluster, {.operation = "UPDATE", .object = whole, .oldObject = whole}),
                          answerAt("/mutate-" + kCluster, {.operation = "DELETE", .oldObject = whole}),
                          answerAt("/mutate-metal3-io-v1alpha1-hostnetworkattachment", {.object = attachment(5)}),
                          answerAt("/mutate-" + kCluster, {.object = cluster("{controlPlaneEndpoint: 7}")})}) {
    CHECK(isAllowed(out));
    CHECK(json::find(out, {"response", "patch"}) == nullptr);
    CHECK(json::find(out, {"response", "patchType"}) == nullptr);
  }
}

TEST_CASE("warnings are passed on, of what is allowed and of what is not", "[webhooks]") {
  const json::Value named = json::parseYamlValue(
      "{apiVersion: " + kInfra + "v1beta2, kind: Metal3DataTemplate, metadata: {name: t}, spec: {clusterName: c}}");
  const auto allowed =
      answerAt("/validate-infrastructure-cluster-x-k8s-io-v1beta2-metal3datatemplate", {.object = named});
  CHECK(isAllowed(allowed));
  CHECK_THAT(json::serialize(*json::arrayAt(allowed, {"response", "warnings"})),
             Contains("spec.clusterName is deprecated"));

  const auto* path = coordinator::webhooks::findPath("/validate-metal3-io-v1alpha1-hostnetworkattachment");
  const auto denied = answer(admissionReview({.operation = "DELETE", .oldObject = attachment(5)}), *path, OneHost());
  CHECK_FALSE(isAllowed(denied));
  CHECK(json::intAt(denied, {"response", "status", "code"}) == 403);
  CHECK_THAT(messageIn(denied), Contains("cannot delete attachment while referenced by BMH interfaces: metal/h[eth0]"));
  CHECK_THAT(json::serialize(*json::arrayAt(denied, {"response", "warnings"})),
             Contains("This attachment is referenced by: metal/h[eth0]"));
}

TEST_CASE("a network that a host uses keeps its spec; its metadata may change", "[webhooks]") {
  const auto* path = coordinator::webhooks::findPath("/validate-metal3-io-v1alpha1-hostnetworkattachment");
  const auto update = [&](int vlan) {
    return answer(admissionReview({.operation = "UPDATE", .object = attachment(vlan), .oldObject = attachment(5)}),
                  *path, OneHost());
  };
  CHECK(isAllowed(update(5)));
  CHECK_THAT(messageIn(update(6)), Contains("spec is immutable while referenced by BMH interfaces: metal/h[eth0]"));
}

TEST_CASE("a status is not judged, a dry run is judged like any other request", "[webhooks]") {
  const std::string path = "/validate-" + kCluster;
  CHECK(isAllowed(answerAt(
      path, {.operation = "UPDATE", .object = cluster("{}"), .oldObject = cluster("{}"), .subResource = "status"})));
  CHECK_FALSE(isAllowed(answerAt(path, {.object = cluster("{}"), .dryRun = true})));
  CHECK(answerAt(path, {.object = cluster("{}"), .dryRun = true}) == answerAt(path, {.object = cluster("{}")}));
}

TEST_CASE("a request that does not belong to its path is refused, and told what does", "[webhooks]") {
  const std::string path = "/validate-" + kCluster;
  json::Value old = cluster("{}");
  old.as_object()["apiVersion"] = kInfra + "v1beta1";
  struct Row {
    Admitting what;
    std::string says;
  };
  const std::vector<Row> rows = {
      {{.object = old}, "metal3clusters of infrastructure.cluster.x-k8s.io/v1beta2 are judged here"},
      {{.object = attachment(5)}, "object is a HostNetworkAttachment of metal3.io/v1alpha1"},
      {{.object = nullptr}, "object is missing"},
      {{.operation = "UPDATE", .object = cluster("{}")}, "oldObject is missing"},
      {{.operation = "DELETE", .object = cluster("{}")}, "oldObject is missing"},
      {{.operation = "CONNECT", .object = cluster("{}")}, "operation \"CONNECT\" is none of CREATE, UPDATE and DELETE"},
  };
  for (const auto& row : rows) {
    const json::Value out = answerAt(path, row.what);
    CHECK_FALSE(isAllowed(out));
    CHECK(json::intAt(out, {"response", "status", "code"}) == 400);
    CHECK_THAT(messageIn(out), Catch::StartsWith(path + ": ") && Contains(row.says));
  }
}

TEST_CASE("what is no AdmissionReview of version v1 is no request at all", "[webhooks]") {
  const auto* path = coordinator::webhooks::findPath("/validate-" + kCluster);
  const auto refusal = [&](const std::string& yaml) -> std::string {
    try {
      (void)answer(json::parseYamlValue(yaml), *path, NoObjects());
    } catch (const BadRequest& problem) {
      CHECK(problem.httpStatus() == 400);
      return problem.what();
    }
    return "answered";
  };
  const std::string wanted = "must be one of kind \"AdmissionReview\" and apiVersion \"admission.k8s.io/v1\"";
  CHECK_THAT(refusal("[]"), Contains(wanted));
  CHECK_THAT(refusal("{kind: AdmissionReview, apiVersion: admission.k8s.io/v1beta1, request: {uid: a}}"),
             Contains(wanted));
  CHECK_THAT(refusal("{kind: ConversionReview, apiVersion: apiextensions.k8s.io/v1}"), Contains(wanted));
  CHECK_THAT(refusal("{kind: AdmissionReview, apiVersion: admission.k8s.io/v1}"), Contains("has no request"));
  CHECK_THAT(refusal("{kind: AdmissionReview, apiVersion: admission.k8s.io/v1, request: {}}"), Contains("has no uid"));
}
