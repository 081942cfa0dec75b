// Kinds whose old version is to go (spec/cluster-api.md §1.17).
#include "coordinator/migration/migrator.hpp"

#include "kube/core/error.hpp"
#include "tests/support/api_site.hpp"

#include <catch2/catch.hpp>

#include <ranges>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::migration;

constexpr auto name = "widgets.test.dev";
const kube::Resource oldWidgets{.group = "test.dev", .version = "v1", .kind = "Widget", .plural = "widgets"};
const kube::Resource widgets{.group = "test.dev", .version = "v2", .kind = "Widget", .plural = "widgets"};
const kube::Resource definitions{.group = "apiextensions.k8s.io",
                                 .version = "v1",
                                 .kind = "CustomResourceDefinition",
                                 .plural = "customresourcedefinitions",
                                 .namespaced = false};

json::Object version(const char* called, bool isServed, bool isStored) {
  return {{"name", called},
          {"served", isServed},
          {"storage", isStored},
          {"schema", json::Object{{"openAPIV3Schema",
                                   json::Object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}}}};
}

json::Array before() { return {version("v1", true, true)}; }
json::Array after() { return {version("v1", false, false), version("v2", true, true)}; }

class Widgets : public ApiSite {
 public:
  Widgets() : ApiSite({}), process_(kube::connect(loop.runtime, network(), {.server = kProcess})) {
    run(user().api().create(
        definitions, "",
        json::Object{{"apiVersion", "apiextensions.k8s.io/v1"},
                     {"kind", "CustomResourceDefinition"},
                     {"metadata", json::Object{{"name", name}}},
                     {"spec", json::Object{{"group", "test.dev"},
                                           {"scope", "Namespaced"},
                                           {"names", json::Object{{"kind", "Widget"}, {"plural", "widgets"}}},
                                           {"versions", before()}}}}));
    settle();
  }

  void add(const std::string& called) {
    run(user().api().create(oldWidgets, "metal",
                            json::Object{{"apiVersion", "test.dev/v1"},
                                         {"kind", "Widget"},
                                         {"metadata", json::Object{{"name", called}}},
                                         {"spec", json::Object{{"size", 3}}}},
                            {.fieldManager = "kubectl"}));
  }
  void bringTheNewVersion() {
    run(user().api().patch(definitions, {"", name}, kube::PatchType::merge,
                           json::Object{{"spec", json::Object{{"versions", after()}}}}));
    settle();
  }
  void describe(const std::string& text) {
    json::Array versions = after();
    versions.back().as_object()["schema"].as_object()["openAPIV3Schema"].as_object()["description"] = text;
    run(user().api().patch(definitions, {"", name}, kube::PatchType::merge,
                           json::Object{{"spec", json::Object{{"versions", std::move(versions)}}}}));
    settle();
  }
  kube::Client& process() { return *process_; }
  bool pass(Phases phases = {}) {
    writes.clear();
    Migrator migrator(loop.runtime, *process_, {.definitions = {name}, .phases = phases});
    return run(migrator.pass());
  }
  Definition definition() { return definitionIn(run(user().api().get(definitions, {"", name})).value()); }
  json::Value widget(const std::string& called) {
    return run(user().api().raw("GET", kube::objectPath(widgets, {"metal", called})));
  }
  base::Task<void> changeMeanwhile(std::string called, int by) {
    static_cast<void>(co_await user().api().patch(widgets, {"metal", std::move(called)}, kube::PatchType::merge,
                                                  json::Object{{"spec", json::Object{{"by", by}}}}));
  }

 private:
  std::unique_ptr<kube::Client> process_;
};

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("§1.17 what is stored in an old version is stored anew", "[migration]") {
  Widgets site;
  site.add("a");
  site.add("b");
  site.bringTheNewVersion();
  REQUIRE(site.definition().stored == Strings{"v1", "v2"});
  CHECK(site.pass());
  CHECK(site.definition().stored == Strings{"v2"});
  CHECK(site.definition().observed == site.definition().generation);
  CHECK(site.writes == Strings{"PATCH /apis/test.dev/v2/namespaces/metal/widgets/a",
                               "PATCH /apis/test.dev/v2/namespaces/metal/widgets/b",
                               "PATCH /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.test.dev/status",
                               "PATCH /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.test.dev"});
  for (const char* called : {"a", "b"}) CHECK(site.widget(called).at("spec").at("size") == 3);
}

TEST_CASE("§1.17 a definition that was brought to its end costs a read, until it changes", "[migration]") {
  Widgets site;
  site.add("a");
  site.bringTheNewVersion();
  CHECK(site.pass());
  CHECK(site.pass());
  CHECK(site.writes.empty());
  site.describe("another generation");
  CHECK(site.pass());
  CHECK(site.writes.size() == 1);  // there was nothing to migrate
}

TEST_CASE("§1.17 phases can be left out", "[migration]") {
  Widgets site;
  site.add("a");
  site.bringTheNewVersion();
  CHECK(site.pass({.storageVersion = false}));
  CHECK(site.definition().stored == Strings{"v1", "v2"});
  CHECK(site.definition().observed == site.definition().generation);
}

TEST_CASE(
    "§1.17 whatever request fails, the version is named the only stored one when all is, and the next pass ends it",
    "[migration]") {
  const auto lost = GENERATE(range<std::size_t>(0, 4));
  const auto death = GENERATE(ApiSite::Death::before, ApiSite::Death::after);
  Widgets site;
  site.add("a");
  site.add("b");
  site.bringTheNewVersion();
  site.survives = true;
  site.death = death;
  site.dieAtWrite = lost;
  const bool isOver = site.pass();
  site.dieAtWrite.reset();
  if (death == ApiSite::Death::before && lost < 2) {  // an object is as it was
    CHECK(site.definition().stored == Strings{"v1", "v2"});
    CHECK(site.definition().observed != site.definition().generation);
  }
  if (site.definition().observed == site.definition().generation) CHECK(site.definition().stored == Strings{"v2"});
  CHECK((isOver || site.pass()));
  CHECK(site.definition().stored == Strings{"v2"});
}

TEST_CASE("§1.17 while an object is not stored anew, or cannot be listed, the old version stays named", "[migration]") {
  struct Row {
    std::string request, answer;
    int status;
    bool isOtherDone;  // "b" is migrated all the same
  };
  const auto refusal = [](int code, const std::string& reason) {
    return fmt::format(R"({{"kind":"Status","status":"Failure","reason":"{}","code":{},"message":"no"}})", reason,
                       code);
  };
  const auto row = GENERATE_COPY(values<Row>({{"/widgets/a", refusal(422, "Invalid"), 422, true},
                                              {"/widgets/a", refusal(500, "InternalError"), 500, true},
                                              {"/widgets/a", "404 page not found", 404, false},
                                              {"/widgets/a", refusal(429, "TooManyRequests"), 429, false},
                                              {"/widgets?", refusal(410, "Expired"), 410, false},
                                              {"/widgets?", "{}", 200, false}}));
  CAPTURE(row.request, row.answer);
  Widgets site;
  site.add("a");
  site.add("b");
  site.bringTheNewVersion();
  bool isBroken = true;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (isBroken && request.target.find(row.request) != std::string::npos) return {{row.status, row.answer}};
    return std::nullopt;
  };
  Migrator migrator(site.loop.runtime, site.process(), {.definitions = {name}});
  CHECK_FALSE(site.loop.run(migrator.pass()));
  CHECK(site.definition().stored == Strings{"v1", "v2"});
  CHECK(site.definition().observed != site.definition().generation);
  const auto wroteB = [&] {
    return std::ranges::count(site.writes, "PATCH /apis/test.dev/v2/namespaces/metal/widgets/b");
  };
  CHECK((wroteB() > 0) == row.isOtherDone);
  isBroken = false;
  site.writes.clear();
  CHECK(site.loop.run(migrator.pass()));
  CHECK(site.definition().stored == Strings{"v2"});
  CHECK((wroteB() > 0) == !row.isOtherDone);  // what is done is not done again
}

TEST_CASE("§1.17 somebody who writes an object meanwhile loses nothing", "[migration]") {
  Widgets site;
  site.add("a");
  site.bringTheNewVersion();
  int times = 0;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH" && request.target.find("/widgets/a") != std::string::npos && times++ == 0)
      co_await site.changeMeanwhile("a", 7);
  };
  CHECK(site.pass());
  CHECK(times > 0);
  CHECK(site.widget("a").at("spec").at("size") == 3);
  CHECK(site.widget("a").at("spec").at("by") == 7);
}

TEST_CASE("§1.17 several thousand objects are read in pages", "[migration]") {
  Widgets site;
  for (int i = 0; i < 1100; ++i) site.add(fmt::format("w{}", i));
  site.bringTheNewVersion();
  CHECK(site.pass());
  CHECK(site.writes.size() == 1102);
}

// The embedded API keeps no managed fields: what a server that does would answer.
TEST_CASE("§1.17 managed fields lose what names a version that is gone, whoever writes meanwhile", "[migration]") {
  Widgets site;
  site.bringTheNewVersion();
  const auto object = [](int version) {
    return fmt::format(R"({{"metadata":{{"name":"a","namespace":"metal","resourceVersion":"{}","managedFields":[
      {{"manager":"old","operation":"Update","apiVersion":"test.dev/v1"}},
      {{"manager":"new","operation":"Update","apiVersion":"test.dev/v2"}}]}}}})",
                       version);
  };
  std::vector<std::string> patches;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (request.target.find("/test.dev/v2/") == std::string::npos) return std::nullopt;
    if (request.method == "GET" && request.target.ends_with("/widgets/a")) return {{200, object(8)}};
    if (request.method == "GET") return {{200, R"({"metadata":{},"items":[)" + object(7) + "]}"}};
    if (request.headers.get("Content-Type") != "application/json-patch+json") return {{200, object(7)}};
    patches.push_back(request.body);
    return {{patches.size() == 1 ? 409 : 200, "{}"}};
  };
  CHECK(site.pass({.storageVersion = false}));
  REQUIRE(patches.size() == 2);
  CHECK_THAT(patches[0], Catch::Contains(R"({"op":"test","path":"/metadata/resourceVersion","value":"7"})"));
  CHECK_THAT(patches[1],
             Catch::Contains(R"("value":"8")") && Catch::Contains("test.dev/v2") && !Catch::Contains("test.dev/v1"));
  patches.clear();
  site.describe("another generation");
  CHECK(site.pass({.managedFields = false}));
  CHECK(patches.empty());
}

TEST_CASE("§1.17 an entry of the stored version stays behind where none else would", "[migration]") {
  const Definition widgets{.group = "test.dev", .storage = "v2", .served = {"v2"}};
  const auto cleaned = [&](const std::string& entries) {
    const auto patch = managedFieldsCleanup(
        widgets, json::parse(R"({"metadata":{"resourceVersion":"7","managedFields":[)" + entries + "]}}"));
    return patch ? json::serialize(patch->at(1).at("value")) : "nothing";
  };
  const std::string old = R"({"manager":"m","operation":"Update","apiVersion":"test.dev/v1","time":"t"})";
  const std::string present = R"({"manager":"n","operation":"Apply","apiVersion":"test.dev/v2"})";
  const std::string others = R"({"manager":"n","operation":"Apply","apiVersion":"v1"})";
  CHECK(cleaned("") == "nothing");
  CHECK(cleaned(present) == "nothing");
  CHECK(cleaned(others) == "nothing");
  CHECK(cleaned(old + "," + present) == "[" + present + "]");
  CHECK(cleaned(old) == R"([{"manager":"m","operation":"Update","apiVersion":"test.dev/v2","time":"t",)"
                        R"("fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:name":{}}}}])");
}

}  // namespace ingot::tests
