#include "api/kinds/kinds.hpp"
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

TEST_CASE("our CRDs serve what upstream's serve, field by field", "[crd]") {
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
  CHECK(tables == 13 + 2 * 9 + 3 + 2 * 2);
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
  for (const std::string plural : {"clusters", "machines"}) {
    CHECK_FALSE(installed.contains("cluster.x-k8s.io_" + plural + ".yaml"));
    CHECK(served.contains(plural + ".cluster.x-k8s.io"));
  }
  CHECK(api::crdsOf(api::KindSet::clusterApiCore).size() == 2);
}

TEST_CASE("the kinds of the Cluster API provider say which contracts they serve and who converts them", "[crd]") {
  for (const auto& crd : api::crdsOf(api::KindSet::clusterApi)) {
    const json::Value v = crd;
    INFO(json::textAt(v, {"metadata", "name"}));
    CHECK(json::textAt(v, {"metadata", "labels", "cluster.x-k8s.io/v1beta1"}) == "v1beta1");
    CHECK(json::textAt(v, {"metadata", "labels", "cluster.x-k8s.io/v1beta2"}) == "v1beta2");
    CHECK(json::textAt(v, {"spec", "conversion", "strategy"}) == "Webhook");
    CHECK(json::textAt(v, {"spec", "conversion", "webhook", "clientConfig", "service", "path"}) == "/convert");
    CHECK(json::arrayAt(v, {"spec", "versions"})->size() == 2);
  }
  CHECK(json::stringAt(crdOfKind("Metal3Data"),
                       {"metadata", "annotations", "clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check"}) == "");
}
