#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

TEST_CASE("a created object gets its identity", "[T020][T025][T026]") {
  const std::string space = peer().space();
  const std::string body =
      R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{"name":"a","uid":"mine","generation":7},
    "spec":{"online":true},"status":{"poweredOn":true,"errorMessage":"x","hardwareProfile":"","operationalStatus":"OK","provisioning":{"ID":"","state":"","image":{"url":""}}}})";
  const Reply made = peer().post(hosts(space), body);
  REQUIRE(made.status == 201);
  CHECK(made.at({"metadata", "uid"}).size() == 36);
  CHECK(made.generation() == 1);
  CHECK(made.at({"metadata", "creationTimestamp"}).size() == 20);
  CHECK(json::find(made.json(), {"status"}) == nullptr);
}

TEST_CASE("a second object of the name is refused", "[T021]") {
  const std::string space = peer().space();
  REQUIRE(peer().post(hosts(space), host("a")).status == 201);
  const Reply again = peer().post(hosts(space), host("a"));
  CHECK(again.status == 409);
  CHECK(again.at({"reason"}) == "AlreadyExists");
  CHECK(again.message() == "baremetalhosts.metal3.io \"a\" already exists");
  CHECK(json::serialize(again.json().at("details")) == R"({"name":"a","group":"metal3.io","kind":"baremetalhosts"})");
}

TEST_CASE("names: required, generated, checked", "[T022][T023][T034]") {
  const std::string space = peer().space();
  const std::string nameless =
      R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{},"spec":{"online":true}})";
  const Reply refused = peer().post(hosts(space), nameless);
  CHECK(refused.status == 422);
  CHECK(refused.text.find("metadata.name: Required value: name or generateName is required") != std::string::npos);
  const Reply made = peer().post(
      hosts(space),
      R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{"generateName":"x-"},"spec":{"online":true}})");
  REQUIRE(made.status == 201);
  const std::string name = made.at({"metadata", "name"});
  CHECK(name.size() == 7);
  CHECK(name.starts_with("x-"));
  const Reply bad = peer().post(hosts(space), host("A_b"));
  CHECK(bad.status == 422);
  CHECK(bad.message().find(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'") !=
        std::string::npos);
}

TEST_CASE("what may not be sent with a creation", "[T024][T028][T029]") {
  const std::string space = peer().space();
  const Reply versioned = peer().post(hosts(space), host("a", R"({"online":true})", R"(,"resourceVersion":"5")"));
  CHECK(versioned.status == 500);
  CHECK(versioned.message() == "resourceVersion should not be set on objects to be created");
  const Reply elsewhere = peer().post(hosts(space), host("a", R"({"online":true})", R"(,"namespace":"other")"));
  CHECK(elsewhere.status == 400);
  CHECK(elsewhere.message() == "the namespace of the provided object does not match the namespace sent on the request");
  const Reply nowhere = peer().post(hosts("no-such-space"), host("a"));
  CHECK(nowhere.status == 404);
  CHECK(nowhere.message() == "namespaces \"no-such-space\" not found");
}

TEST_CASE("a kind without status subresource counts every change outside metadata", "[T027]") {
  const std::string space = peer().space();
  const std::string path = "/apis/metal3.io/v1alpha1/namespaces/" + space + "/hardwaredata";
  const Reply made = peer().post(
      path, R"({"apiVersion":"metal3.io/v1alpha1","kind":"HardwareData","metadata":{"name":"a"},"spec":{}})");
  REQUIRE(made.status == 201);
  CHECK(peer().patch(path + "/a", R"({"spec":{"hardware":{"hostname":"h"}}})").generation() == 2);
  CHECK(peer().patch(path + "/a", R"({"metadata":{"labels":{"a":"b"}}})").generation() == 2);
}

TEST_CASE("bodies of another kind are refused", "[T030][T031]") {
  const std::string space = peer().space();
  const auto as = [&](const std::string& apiVersion, const std::string& kind) {
    return peer().post(hosts(space), "{" + apiVersion + kind + R"("metadata":{"name":"a"},"spec":{"online":true}})");
  };
  const std::string version = R"("apiVersion":"metal3.io/v1alpha1",)";
  const Reply kind = as(version, R"("kind":"Foo",)");
  CHECK(kind.status == 422);
  CHECK(kind.message() == "Foo.metal3.io \"a\" is invalid: kind: Invalid value: \"Foo\": must be BareMetalHost");
  const Reply other = as(R"("apiVersion":"foo/v1",)", R"("kind":"BareMetalHost",)");
  CHECK(other.status == 400);
  CHECK(other.message() ==
        "the API version in the data (foo/v1) does not match the expected API version (metal3.io/v1alpha1)");
  const Reply none = as(version, "");
  CHECK(none.status == 400);
  CHECK(none.message().starts_with(
      "the object provided is unrecognized (must be of type BareMetalHost): Object 'Kind' is missing in '"));
  CHECK(peer().post(core(space, "configmaps"), configMap("a")).status == 201);
}

TEST_CASE("a dry run decides and stores nothing", "[T032][T033]") {
  const std::string space = peer().space();
  const Reply tried = peer().post(hosts(space) + "?dryRun=All", host("a"));
  CHECK(tried.status == 201);
  CHECK(tried.version().empty());
  CHECK(peer().get(hosts(space) + "/a").status == 404);
  const Reply wrong = peer().post(hosts(space) + "?dryRun=foo", host("a"));
  CHECK(wrong.status == 422);
  CHECK(wrong.message() ==
        "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"foo\"]: supported values: \"All\"");
}

TEST_CASE("metadata is checked", "[T035][T036][T037][T038]") {
  const std::string space = peer().space();
  const auto with = [&](const std::string& name, const std::string& metadata) {
    return peer().post(hosts(space), host(name, R"({"online":true})", metadata));
  };
  const Reply label = with("a", R"(,"labels":{"k":")" + std::string(64, 'x') + "\"}");
  CHECK(label.status == 422);
  CHECK(label.message().find("must be no more than 63 bytes") != std::string::npos);
  const Reply owners = with(
      "b",
      R"(,"ownerReferences":[{"apiVersion":"v1","kind":"X","name":"y","uid":"1","controller":true},{"apiVersion":"v1","kind":"X","name":"z","uid":"2","controller":true}])");
  CHECK(owners.status == 422);
  CHECK(owners.message().find(
            "Only one reference can have Controller set to true. Found \"true\" in references for X/y and X/z") !=
        std::string::npos);
  const Reply finalizer = with("c", R"(,"finalizers":["foo"])");
  CHECK(finalizer.status == 201);
  CHECK(finalizer.headers.get("Warning").find("prefer a domain-qualified finalizer name") != std::string::npos);
  const Reply notes = with("d", R"(,"annotations":{"k":")" + std::string(262145, 'x') + "\"}");
  CHECK(notes.status == 422);
  CHECK(notes.message().find("Too long: may not be more than 262144 bytes") != std::string::npos);
}

TEST_CASE("a body over 3 MiB is refused", "[T039]") {
  const std::string space = peer().space();
  const Reply refused =
      peer().post(hosts(space), host("a", R"({"online":true,"description":")" + std::string(3'200'000, 'x') + "\"}"));
  CHECK(refused.status == 413);
  CHECK(refused.message() == "Request entity too large: limit is 3145728");
}
