#include "tests/apiserver/registry/fixture.hpp"

namespace ingot::apiserver::tests {
namespace {

// "ADDED a", "BOOKMARK" …
std::vector<std::string> next(Api& api, Watch& watch) {
  std::vector<std::string> seen;
  for (const auto& event : api.run(watch.next())) {
    seen.push_back(std::string(typeName(event.type)) + (event.object ? " " + event.object->key.name : ""));
  }
  return seen;
}
using Seen = std::vector<std::string>;

std::string now(Api& api) { return std::to_string(api.store->revision()); }

}  // namespace

TEST_CASE("a watch without version begins with what is there", "[registry]") {
  Api api;
  api.create("b");
  api.create("a");
  const auto watch = api.registry->watch(Api::host());
  CHECK(next(api, *watch) == Seen{"ADDED a", "ADDED b"});
  api.merge(Api::host("a"), {{"spec", {{"x", 1}}}});
  CHECK(next(api, *watch) == Seen{"MODIFIED a"});
}

TEST_CASE("a watch from a version shows only what came later", "[registry]") {
  Api api;
  api.create("a");
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = now(api)});
  api.create("b");
  api.remove(Api::host("a"));
  CHECK(next(api, *watch) == Seen{"ADDED b", "DELETED a"});
}

TEST_CASE("a version older than the history gets one ERROR and the end", "[registry]") {
  Api api;
  api.create("a");
  api.halt();
  api.boot();
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = "1"});
  const auto events = api.run(watch->next());
  REQUIRE(events.size() == 1);
  CHECK(events[0].type == WatchEvent::Type::error);
  CHECK(events[0].error.code == 410);
  CHECK(events[0].error.reason == "Expired");
  CHECK(api.run(watch->next()).empty());
}

TEST_CASE("a watch goes on over a restart from the last version", "[registry]") {
  Api api;
  api.create("a");
  const auto last = now(api);
  api.halt();
  api.boot();
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = last});
  api.create("b");
  CHECK(next(api, *watch) == Seen{"ADDED b"});
}

TEST_CASE("a label selector turns changes into ADDED and DELETED", "[registry]") {
  Api api;
  api.create("a");
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = now(api), .labelSelector = "k=v"});
  api.merge(Api::host("a"), {{"metadata", {{"labels", {{"k", "v"}}}}}});
  api.merge(Api::host("a"), {{"spec", {{"n", 1}}}});
  const auto left = api.merge(Api::host("a"), {{"metadata", {{"labels", {{"k", "w"}}}}}});
  api.merge(Api::host("a"), {{"spec", {{"n", 2}}}});
  const auto events = api.run(watch->next());
  REQUIRE(events.size() == 3);
  CHECK(events[0].type == WatchEvent::Type::added);
  CHECK(events[1].type == WatchEvent::Type::modified);
  CHECK(events[2].type == WatchEvent::Type::deleted);
  const auto last = documentOf(*events[2].object);
  CHECK(text(last, {"metadata", "labels", "k"}) == "v");
  CHECK(version(last) == version(left));
}

TEST_CASE("WatchList ends its initial events with a bookmark", "[registry]") {
  Api api;
  api.create("a");
  WatchOptions options{.match = VersionMatch::notOlderThan, .sendInitialEvents = true, .allowBookmarks = true};
  const auto watch = api.registry->watch(Api::host(), options);
  const auto events = api.run(watch->next());
  REQUIRE(events.size() == 2);
  CHECK(events[1].initialEventsEnd);
  CHECK(events[1].revision == api.store->revision());
  api.create("b");
  CHECK(next(api, *watch) == Seen{"ADDED b"});

  SECTION("also over an empty collection, and not without allowWatchBookmarks") {
    CHECK(next(api, *api.registry->watch(Api::core("secrets"), options)) == Seen{"BOOKMARK"});
    options.allowBookmarks = false;
    CHECK(next(api, *api.registry->watch(Api::host(), options)) == Seen{"ADDED a", "ADDED b"});
  }
}

TEST_CASE("watches that are refused", "[registry]") {
  Api api;
  CHECK(refusal([&] { (void)api.registry->watch(Api::host(), {.sendInitialEvents = true}); }).message ==
        "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting "
        "resourceVersionMatch to NotOlderThan");
  CHECK(refusal([&] { (void)api.registry->watch(Api::host(), {.match = VersionMatch::exact}); }).code == 422);
  CHECK(refusal([&] { (void)api.registry->watch(Api::host(), {.resourceVersion = "abc"}); }).code == 500);
}

TEST_CASE("bookmarks come every minute and 2 s before the end", "[registry]") {
  Api api;
  const auto begin = api.loop.clock.now();
  const auto watch = api.registry->watch(
      Api::host(), {.resourceVersion = now(api), .allowBookmarks = true, .timeout = std::chrono::seconds(90)});
  CHECK(next(api, *watch) == Seen{"BOOKMARK"});
  CHECK(api.loop.clock.now() - begin == std::chrono::seconds(60));
  CHECK(next(api, *watch) == Seen{"BOOKMARK"});
  CHECK(api.loop.clock.now() - begin == std::chrono::seconds(88));
  CHECK(next(api, *watch).empty());
  CHECK(api.loop.clock.now() - begin == std::chrono::seconds(90));
}

TEST_CASE("a quiet watch of all namespaces sleeps until its next bookmark", "[registry]") {
  Api api;
  Target everywhere = Api::host();
  everywhere.space.clear();
  const auto watch = api.registry->watch(everywhere, {.resourceVersion = now(api), .allowBookmarks = true});
  int passes = 0;
  base::TaskGroup waiting(api.loop.runtime.executor, api.loop.runtime.log);
  const auto bookmark = api.loop.clock.now() + std::chrono::minutes(1);
  waiting.spawn("watch", [](Watch& w) -> base::Task<void> { (void)co_await w.next(); }(*watch));
  for (; api.loop.clock.now() < bookmark; ++passes)
    if (!api.loop.clock.advanceUntil([&, at = api.loop.clock.now()] { return api.loop.clock.now() > at; },
                                     std::chrono::hours(1)))
      break;
  CHECK(passes <= 3);  // of the registry itself, and the bookmark
  api.run(waiting.close());
}

TEST_CASE("a watcher that falls behind is told to start over, and held nobody up", "[registry]") {
  StoreOptions options;
  options.history.mostEvents = 5;
  Api api(options);
  api.create("a");
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = now(api)});
  for (int i = 0; i < 20; ++i) api.merge(Api::host("a"), {{"spec", {{"n", i}}}});
  CHECK(next(api, *watch) == Seen{"ERROR"});
  CHECK(next(api, *watch).empty());
}

TEST_CASE("a watch ends when its kind is removed", "[registry]") {
  Api api;
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = now(api)});
  api.registry->undefine({"metal3.io", "hosts"});
  CHECK(next(api, *watch).empty());
  CHECK(refusal([&] { api.create("a"); }).code == 404);
}

TEST_CASE("large events come a few at a time: a slow watcher does not hold hundreds of megabytes", "[registry]") {
  Api api;
  const std::string large(400'000, 'x');
  for (int i = 0; i < 9; ++i) api.create(fmt::format("h{}", i), {{"text", large}});
  const auto first = api.registry->watch(Api::host());
  CHECK(next(api, *first).size() == 3);
  const auto from = now(api);
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = from});
  for (int i = 0; i < 9; ++i) api.merge(Api::host(fmt::format("h{}", i)), {{"spec", {{"n", 1}}}});
  std::size_t seen = 0;
  while (seen < 9) {
    const auto events = next(api, *watch);
    REQUIRE(!events.empty());
    CHECK(events.size() <= 3);
    seen += events.size();
  }
  CHECK(seen == 9);
}

TEST_CASE("a watch of one namespace sees its events among many of others, and none of theirs", "[registry]") {
  Api api;
  api.createNamespace("other");
  Target elsewhere = Api::host();
  elsewhere.space = "other";
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = now(api)});
  for (int i = 0; i < 300; ++i) (void)api.run(api.registry->create(elsewhere, Api::hostBody(fmt::format("o{}", i))));
  api.create("mine");
  CHECK(next(api, *watch) == Seen{"ADDED mine"});
}

TEST_CASE("a watch of a quiet namespace keeps up with the history while it waits", "[registry]") {
  StoreOptions options;
  options.history.mostEvents = 50;
  Api api(options);
  api.createNamespace("other");
  Target elsewhere = Api::host();
  elsewhere.space = "other";
  const auto watch = api.registry->watch(Api::host(), {.resourceVersion = now(api)});
  Seen seen;
  base::TaskGroup waiting(api.loop.runtime.executor, api.loop.runtime.log);
  waiting.spawn("watch", [](Watch& w, Seen& s) -> base::Task<void> {
    for (const auto& event : co_await w.next()) s.push_back(std::string(typeName(event.type)));
  }(*watch, seen));
  for (int i = 0; i < 200; ++i) {
    (void)api.run(api.registry->create(elsewhere, Api::hostBody(fmt::format("o{}", i))));
    api.settle();
  }
  CHECK(seen.empty());
  api.create("mine");
  api.settle();
  CHECK(seen == Seen{"ADDED"});
  api.run(waiting.close());
}

TEST_CASE("a watch from before a backup was restored is told to start over", "[registry]") {
  Api api;
  api.create("a");
  const auto kept = now(api);
  auto backup = std::make_shared<MemoryDisk>();
  backup->bodies = api.disk->bodies;
  backup->revision = api.disk->revision;
  api.create("lost");
  const auto lost = now(api);
  api.halt();
  api.disk = backup;
  api.boot();
  for (int i = 0; i < 5; ++i) api.merge(Api::host("a"), {{"spec", {{"n", i}}}});
  CHECK(next(api, *api.registry->watch(Api::host(), {.resourceVersion = lost})) == Seen{"ERROR"});
  CHECK(next(api, *api.registry->watch(Api::host(), {.resourceVersion = kept})).size() == 5);
}

TEST_CASE("a watch that comes back after many writes misses none", "[registry]") {
  Api api;
  api.create("a");
  api.create("b", {{"mine", true}});
  const auto from = now(api);
  constexpr int writes = 1500;
  for (int i = 0; i < writes; ++i) api.merge(Api::host(i % 100 == 0 ? "b" : "a"), {{"spec", {{"n", i}}}});
  const auto all = api.registry->watch(Api::host(), {.resourceVersion = from});
  int expected = 0;
  while (expected < writes) {
    for (const auto& event : api.run(all->next())) {
      CHECK(event.type == WatchEvent::Type::modified);
      CHECK(number(documentOf(*event.object), {"spec", "n"}) == expected++);
    }
  }
  const auto one = api.registry->watch(Api::host(), {.resourceVersion = from, .fieldSelector = "metadata.name=b"});
  int seen = 0;
  while (seen < writes / 100) seen += static_cast<int>(api.run(one->next()).size());
  CHECK(seen == writes / 100);
}

}  // namespace ingot::apiserver::tests
