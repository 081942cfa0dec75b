#include "kube/runtime/pass.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using kube::Next;
using tests::Cluster;
using tests::Widget;

namespace {

struct Counts {
  int tried = 0, grown = 0;
};

using Pass = kube::Pass<Widget, Counts>;

struct ScriptedPass final : kube::ObjectReconciler<Widget, Counts> {
  using ObjectReconciler::ObjectReconciler;
  std::function<base::Task<Next>(Pass&)> then;
  std::vector<std::string> left;

  base::Task<Next> run(Pass& pass) override { return then(pass); }
  void gone(const kube::ObjectKey& key) override { left.push_back(key.name); }
};

struct RunningPass : Cluster {
  kube::Cache<Widget> cache{runtime, client->api()};
  kube::EventRecorder events{runtime, *client, {.component = "test"}};
  Counts counts;
  base::Metrics page;
  ScriptedPass script{{*client, cache, events, &counts}};
  kube::Controller controller{runtime, {.name = "widget", .backoff = {1s, 1min, 2.0, 0.0}, .metrics = &page}, script};
  int passes = 0;

  RunningPass() { controller.watchMain<Widget>(cache); }
  ~RunningPass() { run(tasks.close()); }

  void start(std::function<base::Task<Next>(Pass&)> then) {
    script.then = std::move(then);
    cache.start(tasks);
    tasks.spawn("events", events.run());
    tasks.spawn("controller", controller.run());
    settle();
  }
  std::vector<std::string> told() {
    std::vector<std::string> reasons;
    for (const auto& event : api.store.list("events", "ns")) reasons.push_back(json::textAt(event, {"reason"}));
    return reasons;
  }
  bool shows(const std::string& line) { return page.expose().find(line) != std::string::npos; }
};

base::Task<Next> grow(Pass& pass) {
  pass.journal().countAttempt([](Counts& counts) { ++counts.tried; });
  if (pass->spec.size >= 2) co_return Next::onChange();
  ++pass->spec.size;
  pass.journal().count([](Counts& counts) { ++counts.grown; });
  pass.journal().event("Grown", "it grew");
  co_await pass.save();
  co_return Next::onChange();
}

}  // namespace

TEST_CASE("what a pass decided is saved, then told", "[kube][pass]") {
  RunningPass r;
  r.put("a", 1);
  r.start(grow);
  CHECK(json::intAt(r.api.store.get({"widgets", "ns", "a"}), {"spec", "size"}) == 2);
  CHECK(r.counts.grown == 1);
  CHECK(r.told() == std::vector<std::string>{"Grown"});
}

TEST_CASE("a pass whose save fails tells that it was tried, and nothing else", "[kube][pass]") {
  RunningPass r;
  r.put("a", 1);
  r.api.fault = [](const net::ServerRequest& request) -> std::optional<tests::Fault> {
    if (request.method != "PATCH") return std::nullopt;
    return tests::Fault{.status = 422};
  };
  r.start(grow);
  CHECK(r.counts.tried == 1);
  CHECK(r.counts.grown == 0);
  CHECK(r.told().empty());
  CHECK(r.shows(R"(controller_runtime_reconcile_errors_total{controller="widget"} 1)"));
}

TEST_CASE("what was told with one save is not told again with the next", "[kube][pass]") {
  RunningPass r;
  r.put("a", 0);
  r.start([](Pass& pass) -> base::Task<Next> {
    if (pass->spec.size > 0) co_return Next::onChange();
    pass.journal().count([](Counts& counts) { ++counts.grown; });
    pass->spec.size = 1;
    co_await pass.save();
    pass->status.phase = "done";
    co_await pass.save();
    co_return Next::onChange();
  });
  CHECK(r.counts.grown == 1);
  CHECK(json::textAt(r.api.store.get({"widgets", "ns", "a"}), {"status", "phase"}) == "done");
}

TEST_CASE("a call-back that throws keeps nothing from being told, and fails the pass", "[kube][pass]") {
  RunningPass r;
  r.put("a", 1);
  bool second = false;
  r.start([&second](Pass& pass) -> base::Task<Next> {
    if (pass->spec.size > 1) co_return Next::onChange();
    ++pass->spec.size;
    pass.journal().onceSaved([] { throw std::runtime_error("it cannot be forgotten"); });
    pass.journal().onceSaved([&second] { second = true; });
    pass.journal().count([](Counts&) { throw std::runtime_error("it cannot be counted"); });
    pass.journal().count([](Counts& counts) { ++counts.grown; });
    pass.journal().event("Grown", "it grew");
    co_await pass.save();
    co_return Next::onChange();
  });
  CHECK(second);
  CHECK(r.counts.grown == 1);
  CHECK(r.told() == std::vector<std::string>{"Grown"});
  CHECK(r.sink->contains("it cannot be forgotten"));
  CHECK(r.shows(R"(controller_runtime_reconcile_errors_total{controller="widget"} 1)"));
}

TEST_CASE("what may be forgotten once it is saved is forgotten then, and only then", "[kube][pass]") {
  RunningPass r;
  r.put("a", 1);
  const bool fails = GENERATE(false, true);
  r.api.fault = [fails](const net::ServerRequest& request) -> std::optional<tests::Fault> {
    if (!fails || request.method != "PATCH") return std::nullopt;
    return tests::Fault{.status = 422};
  };
  bool forgotten = false;
  r.start([&forgotten](Pass& pass) -> base::Task<Next> {
    if (pass->spec.size > 1) co_return Next::onChange();
    ++pass->spec.size;
    pass.journal().onceSaved([&forgotten] { forgotten = true; });
    co_await pass.save();
    co_return Next::onChange();
  });
  CHECK(forgotten == !fails);
}

TEST_CASE("an object that is not in deletion and is not there is a failure of its save", "[kube][pass]") {
  RunningPass r;
  r.put("a", 1);
  r.api.fault = [](const net::ServerRequest& request) -> std::optional<tests::Fault> {
    if (request.method != "PATCH") return std::nullopt;
    return tests::Fault{.status = 404};
  };
  r.start(grow);
  CHECK(r.counts.grown == 0);
  CHECK(r.shows(R"(controller_runtime_reconcile_errors_total{controller="widget"} 1)"));
}

TEST_CASE("not ready and moved are no failures: one says when, the other backs off", "[kube][pass]") {
  RunningPass r;
  r.put("a", 1);
  const bool moved = GENERATE(false, true);
  r.start([&r, moved](Pass&) -> base::Task<Next> {
    ++r.passes;
    if (moved) throw kube::Moved("it is another one");
    throw kube::NotReady("not yet", 10s);
    co_return Next::onChange();
  });
  r.advance(8s);
  CHECK(r.passes == (moved ? 4 : 1));  // at 0, 1, 3 and 7 s
  r.advance(3s);
  CHECK(r.passes == (moved ? 4 : 2));
  CHECK(r.shows(R"(controller_runtime_reconcile_errors_total{controller="widget"} 0)"));
  CHECK_FALSE(r.sink->contains("reconcile failed"));
}

TEST_CASE("an object that went away while its last finalizer was taken off is no failure", "[kube][pass]") {
  RunningPass r;
  r.put("a", 1);
  static_cast<void>(
      r.api.store.patch({"widgets", "ns", "a"}, json::parse(R"({"metadata":{"finalizers":["x/y"]}})"), false));
  static_cast<void>(r.api.store.remove({"widgets", "ns", "a"}, "", ""));
  r.start([&r](Pass& pass) -> base::Task<Next> {
    ++r.passes;
    // somebody else is faster
    static_cast<void>(
        r.api.store.patch({"widgets", "ns", "a"}, json::parse(R"({"metadata":{"finalizers":null}})"), false));
    kube::removeFinalizer(pass->metadata, "x/y");
    CHECK(co_await pass.save() == kube::Saved::gone);
    co_return Next::onChange();
  });
  CHECK(r.passes == 1);
  CHECK(r.shows(R"(controller_runtime_reconcile_errors_total{controller="widget"} 0)"));
  r.api.changed();
  r.settle();
  CHECK(r.script.left == std::vector<std::string>{"a"});
}

TEST_CASE("a controller is told of another kind only where it matters", "[kube][controller]") {
  RunningPass r;
  kube::Cache<Widget> others(r.runtime, r.client->api(), {.namespaces = {"other"}});
  r.controller.watch<Widget>(
      others, [](const Widget& w) { return std::vector{kube::ObjectKey{"ns", "for-" + w.metadata.name}}; },
      [](const Widget& before, const Widget& after) { return before.spec.size != after.spec.size; });
  others.start(r.tasks);
  r.start([](Pass&) -> base::Task<Next> { co_return Next::onChange(); });
  static_cast<void>(r.api.store.create("widgets", "other", json::parse(R"({"metadata":{"name":"x"}})")));
  r.api.changed();
  r.settle();
  CHECK(r.script.left == std::vector<std::string>{"for-x"});
  static_cast<void>(r.api.store.patch({"widgets", "other", "x"}, json::parse(R"({"status":{"phase":"p"}})"), true));
  r.api.changed();
  r.settle();
  CHECK(r.script.left.size() == 1);
  r.run(r.tasks.close());
}

TEST_CASE("a kind that the server does not serve is empty until it does", "[kube][cache]") {
  RunningPass r;
  bool served = false;
  r.api.fault = [&](const net::ServerRequest&) -> std::optional<tests::Fault> {
    return served ? std::nullopt : std::optional(tests::Fault{.status = 404});
  };
  kube::Cache<Widget> cache(r.runtime, r.client->api(), {.watcher = {.mayBeAbsent = true}});
  cache.start(r.tasks);
  r.settle();
  CHECK(cache.isSynced());
  CHECK(cache.size() == 0);
  served = true;
  r.put("a", 1);
  r.advance(31s);
  CHECK(cache.size() == 1);
  r.run(r.tasks.close());
}

TEST_CASE("a kind that was served once is not empty because one server knows nothing of it", "[kube][cache]") {
  RunningPass r;
  r.put("a", 1);
  kube::Cache<Widget> cache(r.runtime, r.client->api(), {.watcher = {.mayBeAbsent = true}});
  cache.start(r.tasks);
  r.settle();
  REQUIRE(cache.size() == 1);
  r.api.fault = [](const net::ServerRequest&) { return std::optional(tests::Fault{.status = 404}); };
  r.api.store.compact();
  r.api.breakWatches();
  r.advance(5min);
  CHECK(cache.size() == 1);
  r.api.fault = {};
  r.put("b", 1);
  r.advance(1min);
  CHECK(cache.size() == 2);
  r.run(r.tasks.close());
}
