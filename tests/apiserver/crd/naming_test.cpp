// Within a group no two kinds share a name, and nobody takes the place of a built-in kind.
#include "apiserver/crd/naming.hpp"

#include "tests/apiserver/crd/foos.hpp"

namespace ingot::apiserver::tests {

namespace {

json::Value names(const std::string& plural, const std::string& kind, const std::string& shortNames = "[]") {
  return json::parse(
      fmt::format(R"({{"plural":"{0}","singular":"{0}1","shortNames":{2},"kind":"{1}","listKind":"{1}List"}})", plural,
                  kind, shortNames));
}

}  // namespace

TEST_CASE("a name that is in use is refused, and what a definition has stays its own", "[crd]") {
  TakenNames taken;
  taken.add(names("foos", "Foo", R"(["f","fo"])"));
  struct Row {
    json::Value wanted, had;
    std::string reason, message;
  };
  const Row rows[] = {
      {names("bars", "Bar"), nullptr, "", ""},
      {names("foos", "Bar"), nullptr, "SingularConflict", "\"foos1\" is already in use"},
      {names("f", "Bar"), nullptr, "PluralConflict", "\"f\" is already in use"},
      {names("bars", "Foo"), nullptr, "ListKindConflict", "\"FooList\" is already in use"},
      {names("bars", "FooList"), nullptr, "KindConflict", "\"FooList\" is already in use"},
      {names("bars", "Bar", R"(["f","b"])"), nullptr, "ShortNamesConflict", "\"f\" is already in use"},
      {names("bars", "Bar", R"(["f","fo"])"), nullptr, "ShortNamesConflict",
       "[\"f\" is already in use, \"fo\" is already in use]"},
      {names("bars", "Bar", R"(["f"])"), names("bars", "Bar", R"(["f"])"), "", ""},
      {names("f", "Bar"), names("f", "Bar"), "", ""},
  };
  for (const auto& [wanted, had, reason, message] : rows) {
    INFO(json::serialize(wanted));
    const Naming naming = judgeNames(wanted, had, taken);
    CHECK(naming.reason == reason);
    CHECK(naming.message == message);
    if (naming.complete()) CHECK(json::equal(naming.accepted, wanted));
  }
  CHECK(json::textAt(judgeNames(names("bars", "Foo"), names("bars", "Bar"), taken).accepted, {"kind"}) == "Bar");
}

TEST_CASE("a second CRD with the names of another waits until that one has gone", "[apiserver][crd]") {
  Busy api(std::vector{kFooCrd});
  REQUIRE(api.send("POST", kCrdPath, crdOf({"others", "Foo"})).status == 201);
  api.settle();
  const Answered waiting = api.get(kCrdPath + "/others.test.io");
  CHECK(conditionOf(waiting, "NamesAccepted") == "False ListKindConflict: \"FooList\" is already in use");
  CHECK(conditionOf(waiting, "Established") == "False NotAccepted: not all names are accepted");
  CHECK(waiting.at({"status", "acceptedNames", "plural"}) == "others");
  CHECK(waiting.at({"status", "acceptedNames", "kind"}).empty());
  CHECK(api.get("/apis/test.io/v1/others").status == 404);
  REQUIRE(api.send("DELETE", kFooPath).status == 200);
  api.settle();
  const Answered accepted = api.get(kCrdPath + "/others.test.io");
  CHECK(conditionOf(accepted, "NamesAccepted") == "True NoConflicts: no conflicts found");
  CHECK(conditionOf(accepted, "Established") == "True InitialNamesAccepted: the initial names have been accepted");
  CHECK(api.get("/apis/test.io/v1/others").status == 200);
}

TEST_CASE("an established CRD that asks for a name in use goes on under those it has", "[apiserver][crd]") {
  Busy api(std::vector{kFooCrd, crdOf({"bars", "Bar", "ba"})});
  REQUIRE(api.patch(kFooPath, R"({"spec":{"names":{"shortNames":["ba"]}}})").status == 200);
  api.settle();
  CHECK(conditionOf(api.get(kFooPath), "NamesAccepted") == "False ShortNamesConflict: \"ba\" is already in use");
  CHECK(conditionOf(api.get(kFooPath), "Established").starts_with("True "));
  CHECK(api.send("POST", kFoos, foo("a")).status == 201);
  CHECK(api.get("/apis/test.io/v1").text.find(R"("shortNames":["ba"])") ==
        api.get("/apis/test.io/v1").text.rfind(R"("shortNames":["ba"])"));
  REQUIRE(api.patch(kCrdPath + "/bars.test.io", R"({"spec":{"names":{"shortNames":[]}}})").status == 200);
  api.settle();
  CHECK(conditionOf(api.get(kFooPath), "NamesAccepted").starts_with("True "));
}

TEST_CASE("a name is not had by writing it into the status", "[apiserver][crd]") {
  Busy api(std::vector{kFooCrd, crdOf({"bars", "Bar", "ba"})});
  REQUIRE(api.patch(kFooPath + "/status", R"({"status":{"acceptedNames":{"shortNames":["ba"]}}})").status == 200);
  REQUIRE(api.patch(kFooPath, R"({"spec":{"names":{"shortNames":["ba"]}}})").status == 200);
  api.settle();
  CHECK(conditionOf(api.get(kFooPath), "NamesAccepted") == "False ShortNamesConflict: \"ba\" is already in use");
  CHECK(json::find(api.get(kFooPath).json(), {"status", "acceptedNames", "shortNames"}) == nullptr);
}

TEST_CASE("a CRD cannot take the place of a built-in kind, nor of a group of Kubernetes", "[apiserver][crd]") {
  Busy api;
  const std::string approved = R"(,"annotations":{"api-approved.kubernetes.io":"https://example.com/1"})";
  const Answered leases = api.send("POST", kCrdPath, crdOf({"leases", "Lease"}, "coordination.k8s.io", approved));
  CHECK(leases.status == 422);
  CHECK(leases.text.find("spec.names: Forbidden: this server has a kind of this name itself") != std::string::npos);
  CHECK(api.send("POST", kCrdPath, crdOf({"lea", "Lease"}, "coordination.k8s.io", approved)).status == 422);
  const Answered unapproved = api.send("POST", kCrdPath, crdOf({"foos", "Foo"}, "foo.k8s.io"));
  CHECK(unapproved.status == 422);
  CHECK(unapproved.text.find("protected groups must have approval annotation") != std::string::npos);
  CHECK(api.send("POST", kCrdPath, crdOf({"foos", "Foo"}, "foo.k8s.io", approved)).status == 201);
  CHECK(api.send("POST", kCrdPath, crdOf({"foos", "Foo"}, "foo.x-k8s.io")).status == 201);
}

TEST_CASE("scope and kind of an established CRD stay as they are", "[apiserver][crd]") {
  Busy api(std::vector{kFooCrd});
  const Answered kind = api.patch(kFooPath, R"({"spec":{"names":{"kind":"Fo"}}})");
  CHECK(kind.status == 422);
  CHECK(kind.text.find(R"(spec.names.kind: Invalid value: \"Fo\": field is immutable)") != std::string::npos);
  CHECK(api.patch(kFooPath, R"({"spec":{"scope":"Cluster"}})").status == 422);
}

}  // namespace ingot::apiserver::tests
