#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {
const std::string kAggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
bool has(const Reply& reply, std::string_view text) { return reply.text.find(text) != std::string::npos; }
}  // namespace

TEST_CASE("version and health", "[T001][T014]") {
  CHECK(peer().get("/version").at({"gitVersion"}).starts_with("v1."));
  for (const auto* path : {"/livez", "/readyz"}) {
    const Reply reply = peer().send("GET", path, {}, {}, As::nobody);
    CHECK(reply.status == 200);
    CHECK(reply.text == "ok");
  }
}

TEST_CASE("plain discovery", "[T002][T003][T004]") {
  peer().eventually([] { return has(peer().get("/apis"), "metal3.io/v1alpha1"); });
  const Reply versions = peer().get("/api");
  CHECK(versions.at({"kind"}) == "APIVersions");
  CHECK(has(versions, R"("versions":["v1"])"));
  const Reply groups = peer().get("/apis");
  CHECK(groups.at({"kind"}) == "APIGroupList");
  CHECK(has(groups, R"("preferredVersion":{"groupVersion":"metal3.io/v1alpha1","version":"v1alpha1"})"));
  const Reply resources = peer().get("/apis/metal3.io/v1alpha1");
  CHECK(has(resources, R"("name":"baremetalhosts")"));
  CHECK(has(resources, R"("name":"baremetalhosts/status")"));
  CHECK(has(resources, R"("bmh")"));
}

TEST_CASE("aggregated discovery carries its type, an ETag and Vary", "[T005][T006][T007]") {
  // What other cases have installed or removed may still be on its way into the document.
  Reply fresh, again;
  peer().eventually([&] {
    fresh = peer().get("/apis", kAggregated + ",application/json");
    REQUIRE(fresh.status == 200);
    again = peer().send("GET", "/apis", {}, {{"Accept", kAggregated}, {"If-None-Match", fresh.headers.get("ETag")}});
    return has(fresh, R"("resource":"baremetalhosts")") && again.status == 304;
  });
  CHECK(fresh.headers.get("Content-Type").find("as=APIGroupDiscoveryList") != std::string::npos);
  CHECK(fresh.headers.get("Vary").find("Accept") != std::string::npos);
  CHECK(peer().get("/apis", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList").status == 406);
}

TEST_CASE("unknown paths: text for groups, a Status for core", "[T008][T009]") {
  const Reply group = peer().get("/apis/nope.io/v1");
  CHECK(group.status == 404);
  CHECK(group.headers.get("Content-Type").starts_with("text/plain"));
  const Reply resource = peer().get("/api/v1/namespaces/x/foos");
  CHECK(resource.status == 404);
  CHECK(resource.message() == "the server could not find the requested resource");
  CHECK(has(resource, R"("details":{})"));
}

TEST_CASE("a CRD is served within a second of its creation, and gone with its objects after deletion",
          "[T010][T011][T018]") {
  const std::string space = peer().space();
  const std::string path =
      install("widgets", "Widget", R"({"type":"object","properties":{"n":{"type":"integer"}}})", space);
  peer().eventually([] { return has(peer().get(kCrdPath + "/widgets.test.io"), R"("type":"Established")"); });
  CHECK(has(peer().get(kCrdPath + "/widgets.test.io"), R"("listKind":"WidgetList")"));
  peer().eventually([] { return has(peer().get("/apis"), "test.io/v1"); });
  REQUIRE(peer()
              .post(path, R"({"apiVersion":"test.io/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"n":1}})")
              .status == 201);

  const auto hash = [] {
    return json::serialize(peer().get("/openapi/v3").json().at("paths").get_object()["apis/test.io/v1"]);
  };
  peer().eventually([&] { return hash().find("hash") != std::string::npos; });
  const std::string before = hash();
  const std::string wider =
      R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/m","value":{"type":"string"}}])";
  CHECK(peer().patch(kCrdPath + "/widgets.test.io", wider, "application/json-patch+json").status == 200);
  peer().eventually([&] { return hash() != before; });

  CHECK(peer().remove(kCrdPath + "/widgets.test.io").status == 200);
  peer().eventually([&] { return peer().get(path).status == 404; });
  peer().eventually([] { return peer().get(kCrdPath + "/widgets.test.io").status == 404; });
}

TEST_CASE("versions come in order of preference; deprecated ones warn", "[T012][T013]") {
  const std::string schema =
      R"("schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}})";
  const std::string body =
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"gears.many.io"},
    "spec":{"group":"many.io","scope":"Namespaced","names":{"plural":"gears","kind":"Gear"},"versions":[
    {"name":"v1beta1","served":true,"storage":false,"deprecated":true,)" +
      schema + R"(},{"name":"v1beta2","served":true,"storage":true,)" + schema + "}]}}";
  REQUIRE(peer().post(kCrdPath, body).status == 201);
  const std::string old = "/apis/many.io/v1beta1/namespaces/default/gears";
  peer().eventually([&] { return peer().get(old).status == 200; });
  CHECK(peer().get(old).headers.get("Warning") ==
        "299 - \"many.io/v1beta1 Gear is deprecated; use many.io/v1beta2 Gear\"");
  std::string groups;
  peer().eventually([&] {
    groups = peer().get("/apis").text;
    return groups.find("many.io/v1beta1") != std::string::npos && groups.find("many.io/v1beta2") != std::string::npos;
  });
  CHECK(groups.find("many.io/v1beta2") < groups.find("many.io/v1beta1"));
  REQUIRE(peer().post(old, R"({"apiVersion":"many.io/v1beta1","kind":"Gear","metadata":{"name":"a"}})").status == 201);
  CHECK(peer().get("/apis/many.io/v1beta2/namespaces/default/gears/a").at({"apiVersion"}) == "many.io/v1beta2");
  CHECK(peer().remove(kCrdPath + "/gears.many.io").status == 200);
}

TEST_CASE("OpenAPI documents: index, hash, redirect, what kubectl looks for", "[T015][T016][T017]") {
  std::string url;
  Reply document;
  peer().eventually([&] {
    const json::Value index = peer().get("/openapi/v3").json();
    const json::Value* entry = index.at("paths").get_object().if_contains("apis/metal3.io/v1alpha1");
    url = entry ? json::textAt(*entry, {"serverRelativeURL"}) : "";
    if (!url.empty()) document = peer().get(url);
    return !url.empty() && document.status != 301;  // the kinds come one by one, and change the hash
  });
  CHECK(url.find("?hash=") != std::string::npos);
  CHECK(document.status == 200);
  CHECK(document.headers.get("Cache-Control").find("immutable") != std::string::npos);
  const json::Value patch = document.json()
                                .at("paths")
                                .at("/apis/metal3.io/v1alpha1/namespaces/{namespace}/baremetalhosts/{name}")
                                .at("patch");
  CHECK(json::textAt(patch, {"x-kubernetes-group-version-kind", "kind"}) == "BareMetalHost");
  CHECK(json::serialize(patch).find(R"("fieldValidation")") != std::string::npos);
  CHECK(peer().get("/openapi/v3/apis/metal3.io/v1alpha1?hash=0").status == 301);
  CHECK(peer().get("/openapi/v3/apis/nope.io/v1").status == 404);
}
