#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {

TEST_CASE("a write that changes nothing keeps the version and makes no event", "[registry]") {
  Api api;
  const auto host = api.create("a", {{"online", true}});
  const auto events = api.store->historySize();
  CHECK(version(api.put("a", host)) == version(host));
  CHECK(version(api.merge(Api::host("a"), {{"spec", {{"online", true}}}})) == version(host));
  CHECK(api.store->historySize() == events);
}

TEST_CASE("generation counts changes outside metadata only", "[registry]") {
  Api api;
  api.create("a", {{"online", true}});
  CHECK(number(api.merge(Api::host("a"), {{"metadata", {{"labels", {{"k", "v"}}}}}}), {"metadata", "generation"}) == 1);
  CHECK(number(api.merge(Api::host("a"), {{"spec", {{"online", false}}}}), {"metadata", "generation"}) == 2);
  CHECK(number(api.merge(Api::host("a", "status"), {{"status", {{"state", "x"}}}}), {"metadata", "generation"}) == 2);
}

TEST_CASE("a kind without status subresource keeps its status and counts it", "[registry]") {
  Api api;
  auto info = hostInfo();
  info.plural = "data";
  info.kind = "Data";
  info.versions[0].statusSubresource = false;
  api.registry->define(info, {});
  auto target = Api::host();
  target.resource = "data";
  auto body = Api::hostBody("a");
  body.get_object()["status"] = {{"x", 1}};
  CHECK(number(Api::value(api.run(api.registry->create(target, body))), {"status", "x"}) == 1);
  target.name = "a";
  CHECK(number(api.merge(target, {{"status", {{"x", 2}}}}), {"metadata", "generation"}) == 2);
  target.subresource = "status";
  CHECK(refusal([&] { api.merge(target, {{"status", {{"x", 3}}}}); }).code == 404);
}

TEST_CASE("a stale PUT is a conflict", "[registry]") {
  Api api;
  auto old = api.create("a");
  api.merge(Api::host("a"), {{"spec", {{"online", true}}}});
  const auto status = refusal([&] { api.put("a", old); });
  CHECK(status.code == 409);
  CHECK(status.message ==
        "Operation cannot be fulfilled on hosts.metal3.io \"a\": the object has been modified; please apply your "
        "changes to the latest version and try again");
}

TEST_CASE("a PUT of a custom object needs a version, of a Secret it does not", "[registry]") {
  Api api;
  api.create("a");
  const auto status = refusal([&] { api.put("a", Api::hostBody("a", {{"online", true}})); });
  CHECK(status.code == 422);
  CHECK(
      status.message ==
      "hosts.metal3.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update");
  CHECK(status.details->kind == "hosts");

  const json::Value secret = {{"metadata", {{"name", "s"}}}, {"stringData", {{"k", "v"}}}};
  api.run(api.registry->create(Api::core("secrets"), secret));
  CHECK(api.run(api.registry->update(Api::core("secrets", "s"),
                                     {{"metadata", {{"name", "s"}}}, {"stringData", {{"k", "w"}}}}))
            .object->body.text()
            .find(R"("data":{"k":"dw=="})") != std::string::npos);
}

TEST_CASE("identity in the body must match the request", "[registry]") {
  Api api;
  auto host = api.create("a");
  auto renamed = host, otherUid = host, deleted = host;
  renamed.at("metadata").at("name") = "b";
  otherUid.at("metadata").at("uid") = "xx";
  deleted.at("metadata").get_object()["deletionTimestamp"] = "2020-01-01T00:00:00Z";
  CHECK(refusal([&] { api.put("a", renamed); }).message ==
        "the name of the object (b) does not match the name on the URL (a)");
  const auto conflict = refusal([&] { api.put("a", otherUid); });
  CHECK(conflict.code == 409);
  CHECK(conflict.message.find("Precondition failed: UID in precondition: xx, UID in object meta: ") !=
        std::string::npos);
  CHECK(refusal([&] { api.put("a", deleted); }).message.ends_with("field is immutable"));
  CHECK(refusal([&] { api.merge(Api::host("a"), {{"metadata", {{"uid", "xx"}}}}); }).code == 422);
  CHECK(refusal([&] { api.put("gone", Api::hostBody("gone")); }).code == 404);
}

TEST_CASE("a PUT of a missing Lease creates it", "[registry]") {
  Api api;
  const Target lease{"coordination.k8s.io", "v1", "leases", "default", "l", ""};
  const auto written = api.run(api.registry->update(lease, {{"metadata", {{"name", "l"}}}}));
  CHECK(written.created);
  CHECK(api.exists(lease));
}

TEST_CASE("the status subresource changes status and nothing else", "[registry]") {
  Api api;
  auto host = api.create("a", {{"online", true}});
  host.get_object()["status"] = {{"state", "ready"}};
  host.get_object()["extra"] = 1;
  host.at("spec") = {{"online", false}};
  host.at("metadata").get_object()["labels"] = {{"k", "v"}};
  host.at("metadata").get_object()["finalizers"] = json::Array{"a.b/c"};
  const auto after = api.put("a", host, "status");
  CHECK(text(after, {"status", "state"}) == "ready");
  CHECK(json::boolAt(after, {"spec", "online"}) == true);
  CHECK_FALSE(after.get_object().contains("extra"));
  CHECK_FALSE(after.at("metadata").get_object().contains("labels"));
  CHECK_FALSE(after.at("metadata").get_object().contains("finalizers"));
  CHECK(number(after, {"metadata", "generation"}) == 1);

  SECTION("and the main resource does not change status") {
    auto main = after;
    main.at("status") = {{"state", "forged"}};
    CHECK(version(api.put("a", main)) == version(after));
  }
  SECTION("a PUT without status removes it") {
    auto bare = after;
    bare.get_object().erase("status");
    CHECK_FALSE(api.put("a", bare, "status").get_object().contains("status"));
  }
  SECTION("a stale version in a status patch is a conflict") {
    const auto status = refusal([&] {
      api.merge(Api::host("a", "status"), {{"metadata", {{"resourceVersion", "1"}}}, {"status", {{"state", "late"}}}});
    });
    CHECK(status.code == 409);
  }
}

TEST_CASE("two merge patches without version at the same moment both succeed", "[registry]") {
  Api api;
  api.create("a");
  int done = 0;
  const auto patch = [&](json::Value what) {
    boost::asio::co_spawn(api.loop.io, api.registry->patch(Api::host("a"), Api::merging(std::move(what))),
                          [&](const std::exception_ptr& error, const Written&) { done += error ? 0 : 1; });
  };
  patch({{"spec", {{"one", 1}}}});
  patch({{"spec", {{"two", 2}}}});
  api.settle();
  CHECK(done == 2);
  const auto host = api.get(Api::host("a"));
  CHECK(number(host, {"spec", "one"}) == 1);
  CHECK(number(host, {"spec", "two"}) == 2);
}

TEST_CASE("of two PUTs with one version one is a conflict", "[registry]") {
  Api api;
  auto host = api.create("a");
  int accepted = 0, refused = 0;
  for (int i = 0; i < 2; ++i) {
    host.at("spec") = {{"writer", i}};
    boost::asio::co_spawn(api.loop.io, api.registry->update(Api::host("a"), host),
                          [&](const std::exception_ptr& error, const Written&) { ++(error ? refused : accepted); });
  }
  api.settle();
  CHECK(accepted == 1);
  CHECK(refused == 1);
}

}  // namespace ingot::apiserver::tests
