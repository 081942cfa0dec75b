#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {
namespace {

json::Value createSecret(Api& api, json::Object members) {
  members["metadata"] = {{"name", "s"}};
  return Api::value(api.run(api.registry->create(Api::core("secrets"), std::move(members))));
}

const Target lease{"coordination.k8s.io", "v1", "leases", "default", "", ""};

Target newEvents(std::string name = "") { return {"events.k8s.io", "v1", "events", "default", std::move(name), ""}; }

}  // namespace

TEST_CASE("stringData becomes data and is never returned", "[registry]") {
  Api api;
  const auto secret = createSecret(api, {{"stringData", {{"password", "p"}}}, {"data", {{"username", "dQ=="}}}});
  CHECK(text(secret, {"data", "password"}) == "cA==");
  CHECK(text(secret, {"data", "username"}) == "dQ==");
  CHECK(text(secret, {"type"}) == "Opaque");
  CHECK_FALSE(secret.get_object().contains("stringData"));
  CHECK_FALSE(secret.at("metadata").get_object().contains("generation"));
  CHECK(text(secret, {"apiVersion"}) == "v1");
  CHECK(text(secret, {"kind"}) == "Secret");
}

TEST_CASE("Secrets that are refused", "[registry]") {
  Api api;
  struct Row {
    json::Object members;
    int code;
    std::string text;
  };
  const std::vector<Row> rows = {
      {{{"data", {{"k", "%"}}}}, 400, "illegal base64 data at input byte 0"},
      {{{"stringData", {{"a b", "x"}}}}, 422, "data[a b]: Invalid value: \"a b\": a valid config key must consist of"},
      {{{"stringData", {{"k", std::string(1'048'577, 'x')}}}},
       422,
       "data: Too long: may not be more than 1048576 bytes"},
      {{{"type", "kubernetes.io/tls"}}, 422, "[data[tls.crt]: Required value, data[tls.key]: Required value]"},
      {{{"type", "kubernetes.io/basic-auth"}}, 422, "data[username]: Required value"},
  };
  for (const auto& row : rows) {
    const auto status = refusal([&] { createSecret(api, row.members); });
    CHECK(status.code == row.code);
    CHECK_THAT(status.message, Catch::Matchers::Contains(row.text));
  }
}

TEST_CASE("the type of a Secret does not change, an immutable one not at all", "[registry]") {
  Api api;
  createSecret(api, {{"stringData", {{"k", "v"}}}, {"immutable", true}});
  const auto target = Api::core("secrets", "s");
  CHECK_THAT(refusal([&] { api.merge(target, {{"type", "x/y"}}); }).message,
             Catch::Matchers::Contains("type: Invalid value: \"x/y\": field is immutable"));
  CHECK_THAT(refusal([&] { api.merge(target, {{"data", {{"k", "dw=="}}}}); }).message,
             Catch::Matchers::Contains("data: Forbidden: field is immutable when `immutable` is set"));
  CHECK_THAT(refusal([&] { api.merge(target, {{"immutable", nullptr}}); }).message,
             Catch::Matchers::Contains("immutable: Forbidden: "));
}

TEST_CASE("a ConfigMap is bounded", "[registry]") {
  Api api;
  const auto status = refusal([&] {
    api.run(api.registry->create(Api::core("configmaps"),
                                 {{"metadata", {{"name", "c"}}}, {"data", {{"k", std::string(1'048'577, 'x')}}}}));
  });
  CHECK(status.message == "ConfigMap \"c\" is invalid: []: Too long: may not be more than 1048576 bytes");
}

TEST_CASE("Leases keep six fractional digits and want them", "[registry]") {
  Api api;
  const auto create = [&](const char* name, const char* time) {
    return Api::value(api.run(api.registry->create(
        lease, {{"metadata", {{"name", name}}}, {"spec", {{"renewTime", time}, {"leaseDurationSeconds", 15}}}})));
  };
  CHECK(text(create("a", "2026-01-01T00:00:00.123456Z"), {"spec", "renewTime"}) == "2026-01-01T00:00:00.123456Z");
  CHECK(refusal([&] { create("b", "2026-01-01T00:00:00Z"); }).code == 400);
  auto other = lease;
  other.name = "a";
  CHECK(refusal([&] { api.merge(other, {{"spec", {{"leaseDurationSeconds", 0}}}}); }).code == 422);
}

TEST_CASE("both event groups read one object", "[registry]") {
  Api api;
  api.run(api.registry->create(newEvents(), {{"apiVersion", "events.k8s.io/v1"},
                                             {"kind", "Event"},
                                             {"metadata", {{"name", "e"}}},
                                             {"regarding", {{"namespace", "default"}, {"name", "h"}}},
                                             {"note", "text"},
                                             {"eventTime", "2026-01-01T00:00:00.000000Z"},
                                             {"reportingController", "x.y/z"},
                                             {"reportingInstance", "i"},
                                             {"action", "a"},
                                             {"reason", "r"},
                                             {"type", "Normal"}}));
  const auto core = api.get(Api::core("events", "e"));
  CHECK(text(core, {"apiVersion"}) == "v1");
  CHECK(text(core, {"message"}) == "text");
  CHECK(text(core, {"involvedObject", "name"}) == "h");
  const auto object = api.run(api.registry->get(newEvents("e")));
  const auto other =
      json::parse(api.registry->present(*api.registry->find({"events.k8s.io", "events"}), "v1", *object));
  CHECK(text(other, {"apiVersion"}) == "events.k8s.io/v1");
  CHECK(text(other, {"note"}) == "text");
  CHECK(text(other, {"regarding", "name"}) == "h");
  CHECK_FALSE(other.get_object().contains("message"));
  CHECK_THAT(refusal([&] { api.merge(newEvents("e"), {{"note", "other"}}); }).message,
             Catch::Matchers::Contains("message: Invalid value: \"other\": field is immutable"));
}

TEST_CASE("an event may have any name that fits in a path", "[registry]") {
  Api api;
  const auto create = [&](json::Object metadata) {
    return Api::value(api.run(api.registry->create(
        Api::core("events"), {{"metadata", metadata}, {"involvedObject", {{"namespace", "default"}}}})));
  };
  CHECK(text(create({{"generateName", "Registered-"}}), {"metadata", "name"}).starts_with("Registered-"));
  CHECK(refusal([&] { create({{"name", "a/b"}}); }).code == 422);
}

TEST_CASE("an event belongs to the namespace of what it tells about", "[registry]") {
  Api api;
  const auto status = refusal([&] {
    api.run(api.registry->create(Api::core("events"),
                                 {{"metadata", {{"name", "e"}}}, {"involvedObject", {{"namespace", "other"}}}}));
  });
  CHECK_THAT(status.message, Catch::Matchers::Contains("does not match event.namespace"));
}

TEST_CASE("kinds that only exist to be listed take no writes", "[registry]") {
  Api api;
  CHECK(api.run(api.registry->list(Api::core("resourcequotas"))).items.empty());
  CHECK(refusal([&] { api.run(api.registry->create(Api::core("pods"), Api::hostBody("p"))); }).code == 405);
}

TEST_CASE("a default that a schema gains shows on stored objects", "[registry]") {
  struct Defaulting final : KindRules {
    void prepare(json::Value& object, const WriteContext&, Warnings&) const override {
      auto& spec = json::makeObjectAt(object, {"spec"});
      if (!spec.contains("mode")) spec["mode"] = "metadata";
    }
  };
  Api api;
  const auto before = api.create("a");
  api.registry->define(hostInfo(), {std::make_shared<Defaulting>()});
  const auto after = api.get(Api::host("a"));
  CHECK(text(after, {"spec", "mode"}) == "metadata");
  CHECK(version(after) == version(before));
}

TEST_CASE("a full disk is told as 507 and nothing is half done", "[registry]") {
  Api api;
  api.create("a");
  api.disk->beforeCommit = [](std::span<const Change>) { throw JournalError(JournalError::Code::full, "no space"); };
  const auto status = refusal([&] { api.create("b"); });
  CHECK(status.code == 507);
  CHECK(status.message == "the write was refused: no space");
  api.disk->beforeCommit = nullptr;
  CHECK_FALSE(api.exists(Api::host("b")));
  api.create("b");
}

}  // namespace ingot::apiserver::tests
