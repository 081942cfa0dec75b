#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {

TEST_CASE("a created object has uid, creation time, generation 1 and a version", "[registry]") {
  Api api;
  const auto host = api.create("a", {{"online", true}});
  CHECK(text(host, {"metadata", "uid"}).size() == 36);
  CHECK(text(host, {"metadata", "creationTimestamp"}).starts_with("2026-01-01T00:00:0"));
  CHECK(number(host, {"metadata", "generation"}) == 1);
  CHECK(std::stoll(version(host)) == api.store->revision());
  CHECK(text(host, {"metadata", "namespace"}) == "default");
  CHECK(json::equal(api.get(Api::host("a")), host));
}

TEST_CASE("a stored body begins with apiVersion and kind", "[registry]") {
  Api api;
  json::Value body = {
      {"spec", json::Object{}}, {"metadata", {{"name", "a"}}}, {"kind", "Host"}, {"apiVersion", "metal3.io/v1alpha1"}};
  const auto written = api.run(api.registry->create(Api::host(), body));
  CHECK(written.object->body.text().starts_with(R"({"apiVersion":"metal3.io/v1alpha1","kind":"Host","metadata":)"));
}

TEST_CASE("what only the server writes is overwritten or dropped on create", "[registry]") {
  Api api;
  auto body = Api::hostBody("a");
  body.at("metadata") = {{"name", "a"},      {"uid", "mine"},
                         {"generation", 7},  {"deletionTimestamp", "2020-01-01T00:00:00Z"},
                         {"selfLink", "/x"}, {"managedFields", json::Array{}},
                         {"labels", nullptr}};
  body.get_object()["status"] = {{"state", "forged"}};
  const auto host = Api::value(api.run(api.registry->create(Api::host(), body)));
  CHECK(text(host, {"metadata", "uid"}) != "mine");
  CHECK(number(host, {"metadata", "generation"}) == 1);
  for (const auto* member : {"deletionTimestamp", "selfLink", "managedFields", "labels"}) {
    CHECK_FALSE(host.at("metadata").get_object().contains(member));
  }
  CHECK_FALSE(host.get_object().contains("status"));
}

TEST_CASE("a name that exists is refused with upstream's words", "[registry]") {
  Api api;
  api.create("a");
  const auto status = refusal([&] { api.create("a"); });
  CHECK(status.code == 409);
  CHECK(status.reason == "AlreadyExists");
  CHECK(status.message == "hosts.metal3.io \"a\" already exists");
  CHECK(
      json::serialize(status.toJson()) ==
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"hosts.metal3.io \"a\" already )"
      R"(exists","reason":"AlreadyExists","details":{"name":"a","group":"metal3.io","kind":"hosts"},"code":409})");
}

TEST_CASE("generateName gives five letters of its alphabet", "[registry]") {
  Api api;
  auto body = Api::hostBody("");
  body.at("metadata") = {{"generateName", "x-"}};
  const auto host = Api::value(api.run(api.registry->create(Api::host(), body)));
  const std::string name = text(host, {"metadata", "name"});
  REQUIRE(name.size() == 7);
  CHECK(name.starts_with("x-"));
  CHECK(name.find_first_not_of("bcdfghjklmnpqrstvwxz2456789", 2) == std::string::npos);
  CHECK(text(host, {"metadata", "generateName"}) == "x-");
}

TEST_CASE("requests to create that are refused", "[registry]") {
  Api api;
  struct Row {
    json::Object metadata;
    int code;
    std::string message;
  };
  const std::vector<Row> rows = {
      {{}, 422, "Host.metal3.io \"\" is invalid: metadata.name: Required value: name or generateName is required"},
      {{{"name", "a"}, {"resourceVersion", "5"}}, 500, "resourceVersion should not be set on objects to be created"},
      {{{"name", "a"}, {"namespace", "other"}},
       400,
       "the namespace of the provided object does not match the namespace sent on the request"},
      {{{"name", "Bad_Name"}},
       422,
       "Host.metal3.io \"Bad_Name\" is invalid: metadata.name: Invalid value: \"Bad_Name\": a lowercase RFC 1123 "
       "subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an "
       "alphanumeric character (e.g. 'example.com', regex used for validation is "
       "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"},
      {{{"name", "a"}, {"labels", {{"k", std::string(64, 'v')}}}},
       422,
       "Host.metal3.io \"a\" is invalid: metadata.labels: Invalid value: \"" + std::string(64, 'v') +
           "\": must be no more than 63 bytes"},
      {{{"name", "a"}, {"annotations", {{"k", std::string(262'145, 'v')}}}},
       422,
       "Host.metal3.io \"a\" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes"},
  };
  for (const auto& row : rows) {
    auto body = Api::hostBody("");
    body.at("metadata") = row.metadata;
    const auto status = refusal([&] { api.run(api.registry->create(Api::host(), body)); });
    CHECK(status.code == row.code);
    CHECK(status.message == row.message);
  }
}

TEST_CASE("two controlling owners are refused", "[registry]") {
  Api api;
  auto body = Api::hostBody("a");
  const auto owner = [](const char* name) {
    return json::Value{{"apiVersion", "v1"}, {"kind", "X"}, {"name", name}, {"uid", name}, {"controller", true}};
  };
  body.at("metadata").get_object()["ownerReferences"] = json::Array{owner("y"), owner("z")};
  const auto status = refusal([&] { api.run(api.registry->create(Api::host(), body)); });
  CHECK(status.code == 422);
  CHECK(status.message.ends_with(
      "Only one reference can have Controller set to true. Found \"true\" in references for X/y and X/z"));
}

TEST_CASE("a finalizer without a domain is accepted with a warning", "[registry]") {
  Api api;
  auto body = Api::hostBody("a");
  body.at("metadata").get_object()["finalizers"] = json::Array{"foo"};
  const auto written = api.run(api.registry->create(Api::host(), body));
  REQUIRE(written.warnings.size() == 1);
  CHECK(written.warnings[0] ==
        "metadata.finalizers: \"foo\": prefer a domain-qualified finalizer name to avoid accidental conflicts with "
        "other finalizer writers");
}

TEST_CASE("nothing is created in a namespace that does not exist", "[registry]") {
  Api api;
  auto target = Api::host();
  target.space = "nons";
  const auto status = refusal([&] { api.run(api.registry->create(target, Api::hostBody("a"))); });
  CHECK(status.code == 404);
  CHECK(status.message == "namespaces \"nons\" not found");
  CHECK(status.details->kind == "namespaces");
  CHECK(api.run(api.registry->list(target)).items.empty());
}

TEST_CASE("a dry run answers an object without a version and stores nothing", "[registry]") {
  Api api;
  const auto before = api.store->revision();
  const auto written = api.run(api.registry->create(Api::host(), Api::hostBody("a"), {.dryRun = true}));
  CHECK_FALSE(documentOf(*written.object).at("metadata").get_object().contains("resourceVersion"));
  CHECK(text(documentOf(*written.object), {"metadata", "uid"}).size() == 36);
  CHECK(api.store->revision() == before);
  CHECK_FALSE(api.exists(Api::host("a")));
}

}  // namespace ingot::apiserver::tests
