// Within a group no two kinds share a name, and nobody takes the place of a built-in kind.
#include "tests/contract/definitions.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

const std::string kBareObject = R"({"type":"object"})";

std::string crdIn(const std::string& group, const std::string& plural, const std::string& kind, bool approved) {
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"{0}.{1}"{3}}},
"spec":{{"group":"{1}","scope":"Namespaced","names":{{"plural":"{0}","kind":"{2}"}},"versions":[
{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":{{"type":"object"}}}}}}]}}}})",
      plural, group, kind, approved ? R"(,"annotations":{"api-approved.kubernetes.io":"https://example.com/1"})" : "");
}

}  // namespace

TEST_CASE("a second CRD with the names of another waits until that one has gone", "[T010]") {
  const std::string space = peer().space();
  (void)install("firsts", "Named", kBareObject, space);
  REQUIRE(peer().post(kCrdPath, crd("seconds", "Named", kBareObject)).status == 201);
  const std::string second = crdPath("seconds");
  peer().eventually([&] { return !condition(second, "NamesAccepted").empty(); });
  CHECK(condition(second, "NamesAccepted") == "False ListKindConflict: \"NamedList\" is already in use");
  CHECK(condition(second, "Established") == "False NotAccepted: not all names are accepted");
  CHECK(peer().get(second).at({"status", "acceptedNames", "plural"}) == "seconds");
  CHECK(peer().get(second).at({"status", "acceptedNames", "kind"}).empty());
  CHECK(peer().get(objects(space, "seconds")).status == 404);
  uninstall("firsts");
  peer().eventually([&] { return peer().get(objects(space, "seconds")).status == 200; });
  // The kind may be served before or after the condition says so.
  peer().eventually([&] { return !condition(second, "NamesAccepted").starts_with("False "); });
  CHECK(condition(second, "NamesAccepted") == "True NoConflicts: no conflicts found");
  uninstall("seconds");
}

TEST_CASE("an established CRD that asks for a name in use goes on under those it has", "[T010]") {
  const std::string space = peer().space();
  const std::string path = install("goers", "Goer", kBareObject, space);
  (void)install("stayers", "Stayer", kBareObject, space);
  const std::string goers = crdPath("goers");
  REQUIRE(peer().patch(crdPath("stayers"), R"({"spec":{"names":{"shortNames":["st"]}}})").status == 200);
  peer().eventually(
      [&] { return peer().get("/apis/test.io/v1").text.find(R"("shortNames":["st"])") != std::string::npos; });
  REQUIRE(peer().patch(goers, R"({"spec":{"names":{"shortNames":["st"]}}})").status == 200);
  peer().eventually([&] { return condition(goers, "NamesAccepted").starts_with("False "); });
  CHECK(condition(goers, "NamesAccepted") == "False ShortNamesConflict: \"st\" is already in use");
  CHECK(condition(goers, "Established").starts_with("True "));
  Reply made;  // 429 or 503 while a real server changes its storage
  peer().eventually([&] {
    made = peer().post(path, object("Goer", "a"));
    return made.status != 429 && made.status != 503;
  });
  CHECK(made.status == 201);
  const Reply kind = peer().patch(goers, R"({"spec":{"names":{"kind":"Go"}}})");
  CHECK(kind.status == 422);
  CHECK(kind.message().find("spec.names.kind: Invalid value: \"Go\": field is immutable") != std::string::npos);
  CHECK(peer().patch(goers, R"({"spec":{"scope":"Cluster"}})").status == 422);
  uninstall("stayers");
  peer().eventually([&] { return condition(goers, "NamesAccepted").starts_with("True "); });
  uninstall("goers");
}

TEST_CASE("groups of Kubernetes want an approval", "[T010]") {
  const Reply refused = peer().post(kCrdPath, crdIn("contract.k8s.io", "things", "Thing", false));
  CHECK(refused.status == 422);
  CHECK(refused.message() ==
        "CustomResourceDefinition.apiextensions.k8s.io \"things.contract.k8s.io\" is invalid: "
        "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval "
        "annotation \"api-approved.kubernetes.io\", see https://github.com/kubernetes/enhancements/pull/1111");
  REQUIRE(peer().post(kCrdPath, crdIn("contract.k8s.io", "things", "Thing", true)).status == 201);
  CHECK(peer().remove(kCrdPath + "/things.contract.k8s.io").status == 200);
}

// A kube-apiserver takes such a CRD and goes on serving its own kind; the embedded API refuses it.
TEST_CASE("a CRD does not take the place of a built-in kind", "[T010]") {
  const std::string space = peer().space();
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/" + space + "/leases";
  (void)peer().post(kCrdPath, crdIn("coordination.k8s.io", "leases", "Lease", true));
  const std::string definition = kCrdPath + "/leases.coordination.k8s.io";
  peer().eventually([&] {
    return peer().get(definition).status == 404 || condition(definition, "NamesAccepted").starts_with("True ");
  });
  const auto lease = [&](const std::string& name, const std::string& holder) {
    return peer().post(leases, R"({"metadata":{"name":")" + name + R"("},"spec":{"holderIdentity":)" + holder + "}}");
  };
  REQUIRE(lease("a", R"("me")").status == 201);
  CHECK(lease("b", "5").status == 400);  // as the built-in kind has it; the CRD's schema would take it
  CHECK(peer().get(leases + "/a").at({"spec", "holderIdentity"}) == "me");
  peer().remove(definition);
  peer().eventually([&] { return peer().get(definition).status == 404; });
  CHECK(peer().get(leases + "/a").at({"spec", "holderIdentity"}) == "me");
}
