#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {
namespace {

json::Value held(const std::string& name, std::initializer_list<const char*> finalizers) {
  auto body = Api::hostBody(name);
  json::Array list;
  for (const auto* finalizer : finalizers) list.emplace_back(finalizer);
  body.at("metadata").get_object()["finalizers"] = list;
  return body;
}

}  // namespace

TEST_CASE("an object without finalizers goes at once, under a new version", "[registry]") {
  Api api;
  const auto host = api.create("a");
  const auto deleted = api.remove(Api::host("a"));
  CHECK(deleted.gone);
  CHECK(deleted.object->uid == text(host, {"metadata", "uid"}));
  CHECK(deleted.object->revision > std::stoll(version(host)));
  CHECK_FALSE(api.exists(Api::host("a")));
  CHECK(refusal([&] { api.remove(Api::host("a")); }).message == "hosts.metal3.io \"a\" not found");
}

TEST_CASE("finalizers hold a deleted object until the last one goes", "[registry]") {
  Api api;
  api.run(api.registry->create(Api::host(), held("a", {"x.y/z"})));
  const auto first = api.remove(Api::host("a"));
  CHECK_FALSE(first.gone);
  const auto marked = documentOf(*first.object);
  CHECK(text(marked, {"metadata", "deletionTimestamp"}).starts_with("2026-01-01T00:00:0"));
  CHECK(number(marked, {"metadata", "deletionGracePeriodSeconds"}) == 0);
  CHECK(number(marked, {"metadata", "generation"}) == 2);

  SECTION("deleting again changes nothing") {
    CHECK(api.remove(Api::host("a")).object->revision == first.object->revision);
  }
  SECTION("creating it meanwhile is refused") {
    CHECK(refusal([&] { api.create("a"); }).message == "object is being deleted: hosts.metal3.io \"a\" already exists");
  }
  SECTION("no finalizer may be added") {
    const auto status =
        refusal([&] { api.merge(Api::host("a"), {{"metadata", {{"finalizers", json::Array{"x.y/z", "n.e/w"}}}}}); });
    CHECK(status.code == 422);
    CHECK(status.details->causes.size() == 2);
    CHECK(status.details->causes[0].message ==
          "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers "
          "[]string{\"n.e/w\"}");
  }
  SECTION("removing the last one ends it with one DELETED event") {
    auto watch = api.registry->watch(Api::host(), {.resourceVersion = std::to_string(first.object->revision)});
    const auto last = api.merge(Api::host("a"), {{"metadata", {{"finalizers", nullptr}}}});
    CHECK_FALSE(last.at("metadata").get_object().contains("finalizers"));
    CHECK_FALSE(api.exists(Api::host("a")));
    const auto events = api.run(watch->next());
    REQUIRE(events.size() == 1);
    CHECK(events[0].type == WatchEvent::Type::deleted);
    CHECK(events[0].object->revision == events[0].revision);
  }
}

TEST_CASE("preconditions guard a deletion", "[registry]") {
  Api api;
  const auto host = api.create("e");
  const auto status = refusal([&] { api.remove(Api::host("e"), {.uid = "bad"}); });
  CHECK(status.code == 409);
  CHECK(status.message ==
        fmt::format("Operation cannot be fulfilled on Host.metal3.io \"e\": the UID in the precondition (bad) "
                    "does not match the UID in record ({}). The object might have been deleted and "
                    "then recreated",
                    text(host, {"metadata", "uid"})));
  CHECK(refusal([&] { api.remove(Api::host("e"), {.resourceVersion = "1"}); }).code == 409);
  CHECK(api.remove(Api::host("e"), {.uid = text(host, {"metadata", "uid"}), .resourceVersion = version(host)}).gone);
}

TEST_CASE("a dry run deletes nothing", "[registry]") {
  Api api;
  api.create("a");
  CHECK(api.remove(Api::host("a"), {.dryRun = true}).gone);
  CHECK(api.exists(Api::host("a")));
}

TEST_CASE("deletecollection takes what the selector matches", "[registry]") {
  Api api;
  for (int i = 0; i < 10; ++i) {
    auto body = Api::hostBody(fmt::format("h{}", i));
    body.at("metadata").get_object()["labels"] = {{"odd", i % 2 ? "yes" : "no"}};
    api.run(api.registry->create(Api::host(), body));
  }
  const auto touched = api.run(api.registry->removeCollection(Api::host(), {}, {.labelSelector = "odd=yes"}));
  CHECK(touched.size() == 5);
  CHECK(api.run(api.registry->list(Api::host())).items.size() == 5);
}

TEST_CASE("a deletion of many that failed for some says so, and goes on with the others", "[registry]") {
  Api api;
  constexpr int many = 200;  // more than are deleted side by side
  for (int i = 0; i < many; ++i) api.create(fmt::format("h{}", i));
  int commits = 0;
  api.disk->beforeCommit = [&](std::span<const Change>) {
    if (++commits == 1) throw JournalError(JournalError::Code::full, "no space");
  };
  const auto status = refusal([&] { api.run(api.registry->removeCollection(Api::host(), {}, {})); });
  CHECK(status.code == 507);
  CHECK(commits > 1);
  const auto left = api.run(api.registry->list(Api::host())).items.size();
  CHECK(left > 0);
  CHECK(left < many);
  api.run(api.registry->removeCollection(Api::host(), {}, {}));
  CHECK(api.run(api.registry->list(Api::host())).items.empty());
}

}  // namespace ingot::apiserver::tests
