#include "tests/apiserver/http/fixture.hpp"

using namespace ingot;
using namespace ingot::apiserver::tests;

namespace {
const std::string kTableOrJson = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
}

TEST_CASE("a table shows the printer columns of the CRD", "[apiserver][table]") {
  EmbeddedFixture api;
  REQUIRE(api.send("POST", kHosts, host("h1")).status == 201);
  api.loop.clock.advance(std::chrono::seconds(33));
  const json::Value table = api.get(kHosts + "?limit=500", kTableOrJson).json();
  std::vector<std::string> names;
  for (const auto& column : table.at("columnDefinitions").as_array())
    names.emplace_back(json::textAt(column, {"name"}));
  CHECK(names == std::vector<std::string>{"Name", "Status", "State", "Consumer", "BMC", "Online", "Error", "Age"});
  CHECK(json::serialize(table.at("rows").at(0).at("cells")) == R"(["h1",null,null,null,null,"true",null,"33s"])");
  CHECK(json::textAt(table.at("rows").at(0), {"object", "kind"}) == "PartialObjectMetadata");
}

TEST_CASE("includeObject decides what a row carries", "[apiserver][table]") {
  EmbeddedFixture api;
  REQUIRE(api.send("POST", kHosts, host("h1")).status == 201);
  CHECK(api.get(kHosts + "?includeObject=None", kTableOrJson).json().at("rows").at(0).at("object").is_null());
  CHECK(json::textAt(api.get(kHosts + "?includeObject=Object", kTableOrJson).json().at("rows").at(0),
                     {"object", "kind"}) == "BareMetalHost");
}

TEST_CASE("metadata alone is served on request", "[apiserver][table]") {
  EmbeddedFixture api;
  REQUIRE(api.send("POST", kHosts, host("h1")).status == 201);
  const auto one = api.get(kHosts + "/h1", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1").json();
  CHECK(json::textAt(one, {"kind"}) == "PartialObjectMetadata");
  CHECK(json::find(one, {"spec"}) == nullptr);
  const auto all = api.get(kHosts, "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1").json();
  CHECK(json::textAt(all, {"kind"}) == "PartialObjectMetadataList");
  CHECK(json::textAt(all.at("items").at(0), {"kind"}) == "PartialObjectMetadata");
}

TEST_CASE("discovery is aggregated for clients that ask so, with an ETag", "[apiserver][discovery]") {
  EmbeddedFixture api;
  const std::string accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const Answered fresh = api.get("/apis", accept);
  CHECK(fresh.headers.get("Content-Type").find("as=APIGroupDiscoveryList") != std::string::npos);
  CHECK(fresh.headers.get("Vary") == "Accept");
  CHECK(fresh.text.find(R"("shortNames":["bmh","bmhost"])") != std::string::npos);
  const Answered again =
      api.send("GET", "/apis", {}, {{"Accept", accept}, {"If-None-Match", fresh.headers.get("ETag")}});
  CHECK(again.status == 304);
  CHECK(api.get("/apis", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList").status == 406);
}

TEST_CASE("plain discovery lists groups, versions and resources", "[apiserver][discovery]") {
  EmbeddedFixture api;
  CHECK(api.get("/api").at({"kind"}) == "APIVersions");
  CHECK(api.get("/apis").text.find(R"("preferredVersion":{"groupVersion":"metal3.io/v1alpha1")") != std::string::npos);
  const std::string resources = api.get("/apis/metal3.io/v1alpha1").text;
  CHECK(resources.find(R"("name":"baremetalhosts/status")") != std::string::npos);
}

TEST_CASE("OpenAPI documents are addressed by their hash", "[apiserver][openapi]") {
  EmbeddedFixture api;
  const auto index = api.get("/openapi/v3").json();
  const std::string url = json::textAt(index.at("paths").at("apis/metal3.io/v1alpha1"), {"serverRelativeURL"});
  const Answered document = api.get(url);
  CHECK(document.headers.get("Cache-Control") == "public, immutable");
  CHECK(document.text.find(R"("name":"fieldValidation")") != std::string::npos);
  CHECK(document.text.find("io.metal3.v1alpha1.BareMetalHost") != std::string::npos);
  CHECK(api.get("/openapi/v3/apis/metal3.io/v1alpha1?hash=0").status == 301);
  CHECK(api.get("/openapi/v3/apis/nope/v1").status == 404);
}

TEST_CASE("a watch streams lines and ends after timeoutSeconds", "[apiserver][http]") {
  EmbeddedFixture api;
  REQUIRE(api.send("POST", kHosts, host("h1")).status == 201);
  const Answered lines = api.get(
      kHosts +
      "?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
  CHECK(lines.status == 200);
  CHECK(
      lines.text.starts_with(R"({"type":"ADDED","object":{"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost")"));
  CHECK(lines.text.find(R"("k8s.io/initial-events-end":"true")") != std::string::npos);
}

TEST_CASE("table watches carry their columns once", "[apiserver][table]") {
  EmbeddedFixture api;
  REQUIRE(api.send("POST", kHosts, host("h1")).status == 201);
  REQUIRE(api.send("POST", kHosts, host("h2")).status == 201);
  const std::string text = api.get(kHosts + "?watch=true&timeoutSeconds=1", kTableOrJson).text;
  const auto first = text.find("\"columnDefinitions\":[");
  CHECK(first != std::string::npos);
  CHECK(text.find("\"columnDefinitions\":[", first + 1) == std::string::npos);
}

TEST_CASE("a new CRD is served at once, and a deleted one takes its objects along", "[apiserver][crd]") {
  EmbeddedFixture api({});
  const std::string crd =
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.test.io"},
    "spec":{"group":"test.io","scope":"Namespaced","names":{"plural":"foos","kind":"Foo"},"versions":[{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}})";
  const std::string crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  REQUIRE(api.send("POST", crds, crd).status == 201);
  api.loop.clock.advance(std::chrono::seconds(1));
  const std::string stored = api.get(crds + "/foos.test.io").text;
  CHECK(stored.find(R"("type":"Established")") != std::string::npos);
  CHECK(stored.find(R"("listKind":"FooList")") != std::string::npos);
  const std::string foos = "/apis/test.io/v1/namespaces/default/foos";
  REQUIRE(api.send("POST", foos, R"({"apiVersion":"test.io/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"x":1}})")
              .status == 201);
  CHECK(api.send("DELETE", crds + "/foos.test.io").status == 200);
  api.loop.clock.advance(std::chrono::seconds(2));
  CHECK(api.get(crds + "/foos.test.io").status == 404);
  CHECK(api.get(foos).text == "404 page not found\n");
}

TEST_CASE("a CRD with a rule that nobody can evaluate is refused", "[apiserver][crd]") {
  EmbeddedFixture api({});
  const std::string crd =
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.test.io"},
    "spec":{"group":"test.io","scope":"Namespaced","names":{"plural":"foos","kind":"Foo"},"versions":[{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-validations":[{"rule":"1 == 2","message":"no"}]}}}]}})";
  const Answered refused = api.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  CHECK(refused.status == 422);
  CHECK(refused.text.find("x-kubernetes-validations") != std::string::npos);
}

TEST_CASE("reviews answer who asks and that they may", "[apiserver][http]") {
  EmbeddedFixture api;
  const Answered who = api.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                                R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})");
  CHECK(who.status == 201);
  CHECK(who.at({"status", "userInfo", "username"}) == "system:ingot");
  const Answered may = api.send(
      "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{"verb":"get"}}})");
  CHECK(json::boolAt(may.json(), {"status", "allowed"}) == true);
}

TEST_CASE("a review of somebody else says yes only to who is authenticated", "[apiserver][http]") {
  EmbeddedFixture api({});
  const auto allowed = [&](const std::string& spec) {
    return api.send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                    R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":)" + spec + "}");
  };
  const auto yes = [&](const std::string& spec) { return json::boolAt(allowed(spec).json(), {"status", "allowed"}); };
  CHECK(yes(R"({"user":"jane","groups":["system:authenticated"],"resourceAttributes":{"verb":"get"}})") == true);
  CHECK(yes(R"({"user":"kubernetes-admin","groups":["system:masters"],"resourceAttributes":{"verb":"get"}})") == true);
  CHECK(yes(R"({"user":"jane","resourceAttributes":{"verb":"get"}})") == false);
  CHECK(yes(R"({"user":"system:anonymous","groups":["system:unauthenticated"],"resourceAttributes":{"verb":"get"}})") ==
        false);
  CHECK(yes(R"({"groups":["system:unauthenticated"],"nonResourceAttributes":{"path":"/metrics","verb":"get"}})") ==
        false);
  CHECK(yes(R"({"user":"system:anonymous","nonResourceAttributes":{"path":"/readyz","verb":"get"}})") == true);
  CHECK(allowed(R"({"resourceAttributes":{"verb":"get"}})").status == 422);
}
