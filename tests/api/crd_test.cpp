// Our CRDs against upstream's (spec/capm3.md §1, §3, spec/ipam.md §1–§5, spec/cluster-api.md §1.1, §1.6).
#include "api/kinds/kinds.hpp"
#include "json/yaml.hpp"
#include "tests/api/field_table.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;

namespace {

// Differences from upstream's tables that are meant, with the reason.
struct Meant {
  std::string table, difference, reason;
};
const std::vector<Meant> meant = {};

json::Value crdOfKind(const std::string& kind, const std::string& group = "") {
  for (const auto& crd : api::everyCrd())
    if (json::textAt(crd, {"spec", "names", "kind"}) == kind &&
        (group.empty() || json::textAt(crd, {"spec", "group"}) == group))
      return crd;
  throw base::InvalidInput(kind, "no kind of ours");
}

}  // namespace

TEST_CASE(
    "capm3 §1, §3.1, §3.2, §3.3, §3.4, §3.5, ipam §1, §2.1, §2.2, §3, §4 our CRDs serve what upstream's serve, field "
    "by "
    "field",
    "[crd]") {
  int tables = 0;
  for (const auto& entry : std::filesystem::directory_iterator(INGOT_SOURCE_DIR "/tests/data/fields")) {
    if (entry.path().extension() != ".tsv") continue;
    ++tables;
    const std::string table = entry.path().stem();
    const auto wanted = tests::readFieldTable(entry.path());
    auto found = tests::differences(
        wanted,
        tests::fieldTableOf(crdOfKind(wanted.names.at("kind"), wanted.names.at("group")), wanted.names.at("version")));
    for (const auto& each : meant)
      if (each.table == table) {
        INFO("listed as meant, but not there: " << each.difference);
        CHECK(found.erase(each.difference) == 1);
      }
    for (const auto& difference : found) {
      INFO(table << ": " << difference);
      CHECK(false);
    }
    CHECK(wanted.fields.size() > 2);
  }
  CHECK(tables == 13 + 2 * 9 + 3 + 2 * 4);
}

TEST_CASE("a table that differs is noticed", "[crd]") {
  const auto actual = tests::fieldTableOf(crdOfKind("BareMetalHost"), "v1alpha1");
  auto wanted = actual;
  wanted.fields.erase(".spec.online");
  wanted.fields[".spec.bmc.address"].required = false;
  wanted.fields[".spec.extra"] = {.type = "string"};
  wanted.names["shortNames"] = "bmh";
  wanted.columns.pop_back();
  CHECK(tests::differences(wanted, actual) ==
        std::set<std::string>{".spec.bmc.address: want string {}, got string required {}", ".spec.extra is missing",
                              ".spec.online is not in the table", "shortNames: want bmh, got bmh,bmhost",
                              "the columns differ"});
}

TEST_CASE("the agent's kind is cluster-scoped, and its key cannot change", "[crd]") {
  const auto crd = crdOfKind("ProvisioningAgent");
  CHECK(json::textAt(crd, {"spec", "scope"}) == "Cluster");
  CHECK(json::textAt(crd, {"metadata", "name"}) == "provisioningagents.ingot.dev");
  const auto* key = json::findPath(crd, "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.publicKey");
  REQUIRE(key);
  CHECK(json::findPath(*key, "x-kubernetes-validations[0].rule")->get_string() == "self == oldSelf");
}

TEST_CASE("what is installed on a cluster holds no kind of Cluster API itself, what the embedded API serves does",
          "[crd]") {
  std::set<std::string> installed, served;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(INGOT_SOURCE_DIR "/crds"))
    installed.insert(entry.path().filename());
  for (const auto& crd : api::everyCrd()) served.insert(json::textAt(crd, {"metadata", "name"}));
  for (const auto& [group, plural] :
       std::initializer_list<std::pair<std::string, std::string>>{{"cluster.x-k8s.io", "clusters"},
                                                                  {"cluster.x-k8s.io", "machines"},
                                                                  {"ipam.cluster.x-k8s.io", "ipaddressclaims"},
                                                                  {"ipam.cluster.x-k8s.io", "ipaddresses"}}) {
    CHECK_FALSE(installed.contains(group + "_" + plural + ".yaml"));
    CHECK(served.contains(plural + "." + group));
  }
  CHECK(api::crdsOf(api::KindSet::clusterApiCore).size() == 4);
}

TEST_CASE(
    "capm3 §1.1, §20.6, §21 Q1, cluster-api §1.1, §1.6 the CRDs of the Cluster API provider say whose they are and who "
    "converts them",
    "[crd]") {
  for (const auto& crd : api::crdsOf(api::KindSet::clusterApi)) {
    const json::Value v = crd;
    const std::string kind = json::textAt(v, {"spec", "names", "kind"});
    INFO(kind);
    const auto label = [&](const char* name) { return json::stringAt(v, {"metadata", "labels", name}); };
    const auto annotation = [&](const char* name) { return json::stringAt(v, {"metadata", "annotations", name}); };
    CHECK(label("cluster.x-k8s.io/v1beta1") == "v1beta1");
    CHECK(label("cluster.x-k8s.io/v1beta2") == "v1beta2");
    CHECK(label("cluster.x-k8s.io/provider") == "infrastructure-metal3");
    CHECK(label("clusterctl.cluster.x-k8s.io/move").has_value() == (kind == "Metal3DataTemplate"));
    CHECK(annotation("clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check").has_value() ==
          (kind == "Metal3Data"));
    CHECK(annotation("cert-manager.io/inject-ca-from") == "capm3-system/capm3-serving-cert");
    CHECK(json::textAt(v, {"spec", "conversion", "strategy"}) == "Webhook");
    const auto* webhook = json::find(v, {"spec", "conversion", "webhook"});
    REQUIRE(webhook);
    CHECK(
        json::equal(*webhook, json::parseYamlValue("{clientConfig: {service: {path: /convert, namespace: capm3-system, "
                                                   "name: capm3-webhook-service}}, conversionReviewVersions: [v1, "
                                                   "v1beta1]}")));
    CHECK(json::arrayAt(v, {"spec", "versions"})->size() == 2);
  }
}

TEST_CASE("ipam §1 the CRDs of address management say whose they are, and have one version", "[crd]") {
  const auto crds = api::crdsOf(api::KindSet::ipam);
  CHECK(crds.size() == 3);
  for (const auto& crd : crds) {
    const json::Value v = crd;
    INFO(json::textAt(v, {"metadata", "name"}));
    CHECK(json::equal(*json::find(v, {"metadata", "labels"}),
                      json::parseYamlValue("{cluster.x-k8s.io/v1alpha2: v1alpha2, cluster.x-k8s.io/v1alpha3: "
                                           "v1alpha3_v1alpha4, cluster.x-k8s.io/v1alpha4: v1alpha5, "
                                           "cluster.x-k8s.io/v1beta1: v1beta1, cluster.x-k8s.io/provider: "
                                           "ipam-metal3}")));
    CHECK(json::arrayAt(v, {"spec", "versions"})->size() == 1);
    CHECK(json::find(v, {"spec", "conversion"}) == nullptr);
  }
}
