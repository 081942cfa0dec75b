#include "kube/runtime/controller.hpp"
#include "kube/runtime/draft.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using kube::Next;
using kube::ObjectKey;
using tests::Cluster;
using tests::Widget;

namespace {

// A reconciler that does what the test says, and records each key.
struct Scripted final : kube::Reconciler {
  std::function<base::Task<Next>(ObjectKey)> then = [](ObjectKey) -> base::Task<Next> { co_return Next::onChange(); };
  std::vector<std::string> seen;
  std::size_t inside = 0, most = 0;

  base::Task<Next> reconcile(ObjectKey key) override {
    seen.push_back(key.name);
    most = std::max(most, ++inside);
    std::exception_ptr failure;
    Next next = Next::onChange();
    try {
      next = co_await then(key);
    } catch (...) {
      failure = std::current_exception();
    }
    --inside;
    if (failure) std::rethrow_exception(failure);
    co_return next;
  }
};

struct Running : Cluster {
  kube::Cache<Widget> cache{runtime, client->api()};
  Scripted script;
  kube::Controller controller;

  explicit Running(std::size_t concurrency = 2, std::function<bool(const Widget&, const Widget&)> matters = {})
      : controller(runtime, {.name = "widget", .concurrency = concurrency, .backoff = {1s, 1min, 2.0, 0.0}}, script) {
    controller.watchMain<Widget>(cache, std::move(matters));
  }
  ~Running() { run(tasks.close()); }

  void start() {
    cache.start(tasks);
    tasks.spawn("controller", controller.run());
    settle();
  }
};

}  // namespace

TEST_CASE("every object is reconciled at start, and again when it changes", "[kube][controller]") {
  Running r;
  r.put("a", 1);
  r.put("b", 1);
  r.start();
  CHECK(r.script.seen == std::vector<std::string>{"a", "b"});
  r.put("a", 2);
  r.settle();
  CHECK(r.script.seen.back() == "a");
  CHECK(r.script.seen.size() == 3);
}

TEST_CASE("a change during a reconcile leads to one more, never two at a time", "[kube][controller]") {
  Running r(4);
  r.script.then = [&](ObjectKey) -> base::Task<Next> {
    co_await r.loop.clock.sleepFor(10s);
    co_return Next::onChange();
  };
  r.put("a", 1);
  r.start();
  for (int i = 2; i < 6; ++i) r.put("a", i), r.settle();
  r.advance(1min);
  CHECK(r.script.seen.size() == 2);
  CHECK(r.script.most == 1);
}

TEST_CASE("no more keys than allowed are worked on at a time", "[kube][controller]") {
  Running r(3);
  r.script.then = [&](ObjectKey) -> base::Task<Next> {
    co_await r.loop.clock.sleepFor(1s);
    co_return Next::onChange();
  };
  for (int i = 0; i < 10; ++i) r.put(fmt::format("w{}", i), 1);
  r.start();
  r.advance(1min);
  CHECK(r.script.seen.size() == 10);
  CHECK(r.script.most == 3);
}

TEST_CASE("a reconcile that throws is tried again with back-off and does not disturb others", "[kube][controller]") {
  Running r;
  r.script.then = [&](ObjectKey key) -> base::Task<Next> {
    if (key.name == "bad") throw std::runtime_error("no luck");
    co_return Next::onChange();
  };
  r.put("bad", 1);
  r.put("good", 1);
  r.start();
  r.advance(10s);
  CHECK(std::ranges::count(r.script.seen, "good") == 1);
  CHECK(std::ranges::count(r.script.seen, "bad") == 4);  // at 0, 1, 3 and 7 s
  CHECK(r.sink->contains("no luck"));
}

TEST_CASE("a reconcile says when it wants to be called again", "[kube][controller]") {
  Running r;
  r.script.then = [&](ObjectKey) -> base::Task<Next> { co_return Next::after(10s); };
  r.put("a", 1);
  r.start();
  r.advance(25s);
  CHECK(r.script.seen.size() == 3);
}

TEST_CASE("a reconcile that asks for the next one at once for ever is slowed down, and again quick after a rest",
          "[kube][controller]") {
  Running r;
  bool circles = true;
  r.script.then = [&](ObjectKey) -> base::Task<Next> { co_return circles ? Next::now() : Next::after(1h); };
  r.put("a", 1);
  r.start();
  r.advance(1min);
  CHECK(r.script.seen.size() > 20);
  CHECK(r.script.seen.size() < 40);
  CHECK(r.sink->contains("goes in circles"));

  circles = false;
  r.advance(1min);
  r.script.seen.clear();
  r.put("a", 2);
  r.settle();
  CHECK(r.script.seen.size() == 1);
  circles = true;
  r.put("a", 3);
  r.settle();
  CHECK(r.script.seen.size() > 20);
}

TEST_CASE("a step that works between two failures does not begin the back-off anew", "[kube][controller]") {
  Running r;
  int calls = 0;
  r.script.then = [&](ObjectKey) -> base::Task<Next> {
    if (++calls % 2 == 0) throw std::runtime_error("no luck");
    co_return Next::now();
  };
  r.put("a", 1);
  r.start();
  r.advance(10s);
  CHECK(calls == 8);  // twice at 0, 1, 3 and 7 s
}

TEST_CASE("a key is not reconciled again before the cache has seen our own write", "[kube][controller][own]") {
  Running r;
  std::vector<std::int64_t> decidedOn;
  r.script.then = [&](ObjectKey key) -> base::Task<Next> {
    kube::Draft<Widget> draft(r.cache.find(key));
    decidedOn.push_back(draft->spec.size);
    if (draft->spec.size < 3) ++draft->spec.size;
    const auto saved = co_await kube::save(*r.client, draft, &r.cache);
    co_return saved == kube::Saved::nothing ? Next::onChange() : Next::now();
  };
  r.cache.start(r.tasks);
  r.settle();
  r.api.holdWatches(true);
  r.tasks.spawn("controller", r.controller.run());
  r.put("a", 1);
  r.advance(5s);
  CHECK(decidedOn.empty());
  r.api.holdWatches(false);
  r.advance(5s);
  CHECK(decidedOn == std::vector<std::int64_t>{1, 2, 3});
}

TEST_CASE("a key waits for its own write while the watch is behind", "[kube][controller][own]") {
  Running r;
  r.put("a", 1);
  r.start();
  r.script.then = [&](ObjectKey key) -> base::Task<Next> {
    kube::Draft<Widget> draft(r.cache.find(key));
    ++draft->spec.size;
    co_await kube::save(*r.client, draft, &r.cache);
    co_return Next::now();
  };
  r.api.holdWatches(true);
  r.controller.queue().add({"ns", "a"});
  r.advance(30s);
  CHECK(r.script.seen.size() == 2);  // at start, and the one that wrote
  r.script.then = [](ObjectKey) -> base::Task<Next> { co_return Next::onChange(); };
  r.api.holdWatches(false);
  r.settle();
  CHECK(r.script.seen.size() == 3);
}

TEST_CASE("a watch that never brings our write is waited for only so long", "[kube][controller][own]") {
  Running r;
  r.put("a", 1);
  r.start();
  r.cache.expect({"ns", "a"}, "no-number");
  r.controller.queue().add({"ns", "a"});
  r.advance(59s);
  CHECK(r.script.seen.size() == 1);
  r.advance(2s);
  CHECK(r.script.seen.size() == 2);
}

TEST_CASE("a change that does not matter does not end a back-off", "[kube][controller]") {
  Running r(2, [](const Widget& before, const Widget& after) { return before.spec.size != after.spec.size; });
  r.script.then = [&](ObjectKey) -> base::Task<Next> { co_return Next::withBackoff(); };
  r.put("a", 1);
  r.start();
  CHECK(r.script.seen.size() == 1);
  static_cast<void>(r.api.store.patch({"widgets", "ns", "a"}, json::parse(R"({"status":{"phase":"x"}})"), true));
  r.api.changed();
  r.settle();
  CHECK(r.script.seen.size() == 1);
  r.put("a", 2);
  r.settle();
  CHECK(r.script.seen.size() == 2);
}

TEST_CASE("changes of another kind lead to the keys that depend on it", "[kube][controller]") {
  Running r;
  kube::Cache<Widget> others(r.runtime, r.client->api(), {.namespaces = {"other"}});
  r.controller.watch<Widget>(others,
                             [](const Widget& w) { return std::vector{ObjectKey{"ns", "for-" + w.metadata.name}}; });
  others.start(r.tasks);
  r.start();
  static_cast<void>(r.api.store.create("widgets", "other", json::parse(R"({"metadata":{"name":"x"}})")));
  r.api.changed();
  r.settle();
  CHECK(std::ranges::count(r.script.seen, "for-x") == 1);
  r.run(r.tasks.close());
}

TEST_CASE("stopping cancels the reconciles that run, and waits for them", "[kube][controller]") {
  Running r;
  bool cleaned = false;
  r.script.then = [&](ObjectKey) -> base::Task<Next> {
    try {
      co_await r.loop.clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      cleaned = true;
      throw;
    }
    co_return Next::onChange();
  };
  r.put("a", 1);
  r.start();
  r.run(r.tasks.close());
  CHECK(cleaned);
  CHECK(r.script.inside == 0);
}

// Adds its finalizer, counts up to three in the spec, then says so in the status: five writes.
struct Counting final : kube::Reconciler {
  Running& r;
  explicit Counting(Running& running) : r(running) {}

  base::Task<Next> reconcile(ObjectKey key) override {
    kube::Draft<Widget> draft(r.cache.find(key));
    if (kube::addFinalizer(draft->metadata, "test.ingot.dev/x")) {
    } else if (draft->spec.size < 3) {
      ++draft->spec.size;
    } else {
      draft->status.phase = "done";
    }
    const auto saved = co_await kube::save(*r.client, draft, &r.cache);
    co_return saved == kube::Saved::nothing ? Next::onChange() : Next::now();
  }
};

TEST_CASE("whichever single call fails, and however, the goal is reached", "[kube][controller][faults]") {
  const auto kind = GENERATE(tests::Fault::Kind::answer, tests::Fault::Kind::cutBefore, tests::Fault::Kind::cutAfter,
                             tests::Fault::Kind::hang);
  for (std::size_t which = 0; which < 9; ++which) {
    CAPTURE(static_cast<int>(kind), which);
    Running r;
    Counting counting(r);
    kube::Controller controller(r.runtime, {.name = "counting", .backoff = {1s, 10s, 2.0, 0.0}}, counting);
    controller.watchMain<Widget>(r.cache);
    r.put("a", 1);
    r.api.fault = [&, calls = std::size_t{0}](const net::ServerRequest&) mutable -> std::optional<tests::Fault> {
      if (calls++ != which) return std::nullopt;
      return tests::Fault{.kind = kind};
    };
    r.cache.start(r.tasks);
    r.tasks.spawn("controller", controller.run());
    CHECK(r.until(
        [&] {
          const json::Value now = r.api.store.get({"widgets", "ns", "a"});
          return json::intAt(now, {"spec", "size"}) == 3 && json::textAt(now, {"status", "phase"}) == "done";
        },
        10min));
    r.advance(1min);
    CHECK(json::intAt(r.api.store.get({"widgets", "ns", "a"}), {"spec", "size"}) == 3);
    r.run(r.tasks.close());
  }
}
