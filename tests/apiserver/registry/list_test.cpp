#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {
namespace {

std::vector<std::string> names(const Listed& page) {
  std::vector<std::string> out;
  out.reserve(page.items.size());
  for (const auto& item : page.items) out.push_back(item->key.name);
  return out;
}
using Names = std::vector<std::string>;

void createLabelled(Api& api, const std::string& name, json::Object labels) {
  auto body = Api::hostBody(name);
  body.at("metadata").get_object()["labels"] = std::move(labels);
  api.run(api.registry->create(Api::host(), body));
}

}  // namespace

TEST_CASE("pages are one snapshot, whatever happens between them", "[registry]") {
  Api api;
  for (const auto* name : {"a", "b", "c", "d", "e"}) api.create(name);
  const auto first = api.run(api.registry->list(Api::host(), {.limit = 2}));
  CHECK(names(first) == Names{"a", "b"});
  CHECK(first.remaining == 3);
  api.remove(Api::host("c"));
  api.create("aa");
  const auto second = api.run(api.registry->list(Api::host(), {.limit = 2, .continueToken = first.continueToken}));
  CHECK(names(second) == Names{"c", "d"});
  CHECK(second.revision == first.revision);
  const auto last = api.run(api.registry->list(Api::host(), {.limit = 2, .continueToken = second.continueToken}));
  CHECK(names(last) == Names{"e"});
  CHECK(last.continueToken.empty());
  CHECK_FALSE(last.remaining);
}

TEST_CASE("a list with a selector tells that there is more, not how much", "[registry]") {
  Api api;
  for (const auto* name : {"a", "b", "c"}) createLabelled(api, name, {{"k", "v"}});
  const auto page = api.run(api.registry->list(Api::host(), {.limit = 1, .labelSelector = "k=v"}));
  CHECK_FALSE(page.continueToken.empty());
  CHECK_FALSE(page.remaining);
}

TEST_CASE("resourceVersion 0 gives the whole list whatever the limit", "[registry]") {
  Api api;
  for (const auto* name : {"a", "b", "c"}) api.create(name);
  CHECK(api.run(api.registry->list(Api::host(), {.resourceVersion = "0", .limit = 1})).items.size() == 3);
}

TEST_CASE("an exact version shows that moment", "[registry]") {
  Api api;
  api.create("a");
  const std::string then = std::to_string(api.store->revision());
  api.create("b");
  CHECK(names(api.run(api.registry->list(Api::host(), {.resourceVersion = then, .match = VersionMatch::exact}))) ==
        Names{"a"});
}

TEST_CASE("an expired continue token comes with one that goes on at the current version", "[registry]") {
  StoreOptions options;
  options.history.mostEvents = 3;
  Api api(options);
  for (const auto* name : {"a", "b", "c"}) api.create(name);
  const auto page = api.run(api.registry->list(Api::host(), {.limit = 1}));
  for (int i = 0; i < 10; ++i) api.merge(Api::host("a"), {{"spec", {{"n", i}}}});
  const auto status = refusal([&] { api.run(api.registry->list(Api::host(), {.continueToken = page.continueToken})); });
  CHECK(status.code == 410);
  CHECK(status.reason == "Expired");
  CHECK(names(api.run(api.registry->list(Api::host(), {.continueToken = status.continueToken}))) == Names{"b", "c"});
}

TEST_CASE("lists that are refused", "[registry]") {
  Api api;
  struct Row {
    ListOptions options;
    int code;
    std::string text;
  };
  const std::vector<Row> rows = {
      {{.labelSelector = "a b"}, 400, "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {{.fieldSelector = "spec.online=true"}, 400, "field label not supported: spec.online"},
      {{.resourceVersion = "abc"}, 400, "invalid resource version"},
      {{.continueToken = "%%"}, 400, "continue key is not valid"},
      {{.resourceVersion = "7", .continueToken = "e30"},
       400,
       "specifying resource version is not allowed when using continue"},
      {{.resourceVersion = "0", .match = VersionMatch::exact}, 422, "resourceVersionMatch: Forbidden: "},
      {{.match = VersionMatch::exact}, 422, "resourceVersionMatch: Forbidden: "},
      {{.sendInitialEvents = true}, 422, "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"},
  };
  for (const auto& row : rows) {
    const auto status = refusal([&] { api.run(api.registry->list(Api::host(), row.options)); });
    CHECK(status.code == row.code);
    CHECK_THAT(status.message, Catch::Matchers::Contains(row.text));
  }
}

TEST_CASE("a version of the future is waited for, then refused", "[registry]") {
  Api api;
  const auto before = api.loop.clock.now();
  const auto status = refusal([&] { api.run(api.registry->list(Api::host(), {.resourceVersion = "99999"})); });
  CHECK(status.code == 504);
  CHECK(status.details->causes[0].reason == "ResourceVersionTooLarge");
  CHECK(api.loop.clock.now() - before == std::chrono::seconds(3));
}

TEST_CASE("label selectors", "[registry]") {
  Api api;
  createLabelled(api, "a", {{"k", "1"}, {"n", "5"}});
  createLabelled(api, "b", {{"k", "2"}});
  createLabelled(api, "c", {{"k", ""}});
  api.create("d");
  const std::vector<std::pair<std::string, Names>> rows = {
      {"k=1", {"a"}},
      {"k==1", {"a"}},
      {"k!=1", {"b", "c", "d"}},
      {"k in (1,2)", {"a", "b"}},
      {"k notin (1)", {"b", "c", "d"}},
      {"k", {"a", "b", "c"}},
      {"!k", {"d"}},
      {"n>4", {"a"}},
      {"n<5", {}},
      {"k=", {"c"}},
      {"k in ()", {"c"}},
      {"k,n", {"a"}},
      {" k = 1 , n ", {"a"}},
      {"", {"a", "b", "c", "d"}},
  };
  for (const auto& [selector, expected] : rows) {
    INFO(selector);
    CHECK(names(api.run(api.registry->list(Api::host(), {.labelSelector = selector}))) == expected);
  }
}

TEST_CASE("field selectors", "[registry]") {
  Api api;
  api.create("a");
  api.create("b");
  CHECK(names(api.run(api.registry->list(Api::host(), {.fieldSelector = "metadata.name=b"}))) == Names{"b"});
  CHECK(names(api.run(api.registry->list(
            Api::host(), {.fieldSelector = "metadata.name!=b,metadata.namespace==default"}))) == Names{"a"});
  api.run(api.registry->create(Api::core("events"),
                               {{"metadata", {{"name", "e"}}},
                                {"involvedObject", {{"kind", "Host"}, {"name", "a"}, {"namespace", "default"}}}}));
  CHECK(api.run(api.registry->list(Api::core("events"),
                                   {.fieldSelector = "involvedObject.kind=Host,involvedObject.name=a"}))
            .items.size() == 1);
  CHECK(api.run(api.registry->list(Api::core("events"), {.fieldSelector = "involvedObject.name=b"})).items.empty());
}

}  // namespace ingot::apiserver::tests
