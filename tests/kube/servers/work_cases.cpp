// Controllers, Events and leaders.
#include "kube/core/event.hpp"
#include "kube/runtime/controller.hpp"
#include "kube/runtime/event_recorder.hpp"
#include "kube/runtime/leader_election.hpp"
#include "tests/kube/servers/server.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Session;
using tests::Widget;

namespace {

// Counts each object up to three, one save at a time, on what the cache shows.
struct CountingOnServer final : kube::Reconciler {
  Session& s;
  kube::Cache<Widget>& cache;
  int stale = 0;
  std::map<std::string, int> saved;

  CountingOnServer(Session& session, kube::Cache<Widget>& watched) : s(session), cache(watched) {}

  base::Task<kube::Next> reconcile(kube::ObjectKey key) override {
    const auto seen = cache.find(key);
    if (!seen || seen->status.errors >= 3) co_return kube::Next::onChange();
    if (seen->status.errors != saved[key.name]) ++stale;
    kube::Draft<Widget> draft(seen);
    ++draft->status.errors;
    draft->status.phase = "counting";
    co_await kube::save(*s.client, draft, &cache);
    ++saved[key.name];
    co_return kube::Next::now();
  }
};

struct CandidateOnServer {
  Session& s;
  tests::Link link;
  std::unique_ptr<kube::Client> client;
  kube::LeaderElector elector;
  base::TaskGroup tasks;
  std::vector<std::int64_t> terms;
  bool working = false;
  std::optional<kube::LeaderElector::Ended> ended;

  // By default of a Lease that a busy machine does not lose.
  CandidateOnServer(Session& session, const std::string& name, base::Duration lease = 120s)
      : s(session),
        link(s.runtime, s.server->transport()),
        client(kube::connect(s.runtime, link, s.server->cluster())),
        elector(s.runtime, *client,
                {.namespace_ = s.space,
                 .name = "lead",
                 .identity = name,
                 .leaseDuration = lease,
                 .renewDeadline = lease * 2 / 3,
                 .retryPeriod = 500ms}),
        tasks(s.runtime.executor, s.runtime.log) {
    tasks.spawn("elect", elect());
  }
  ~CandidateOnServer() { stop(); }
  void stop() { s.run(tasks.close()); }

  base::Task<void> elect() {
    ended = co_await elector.run([this](std::int64_t term) { return lead(term); });
  }
  base::Task<void> lead(std::int64_t term) {
    terms.push_back(term);
    working = true;
    try {
      while (true) co_await s.runtime.clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      working = false;
      throw;
    }
  }
};

}  // namespace

TEST_CASE("on every server: a controller never works on what is older than its own last write",
          "[runtime][controller]") {
  Session s;
  for (const char* name : {"a", "b", "c"}) s.create(name, 1);
  kube::Cache<Widget> cache(s.runtime, s.client->api(), s.watching());
  CountingOnServer counting(s, cache);
  kube::Controller controller(s.runtime, {.name = "widget", .concurrency = 2}, counting);
  controller.watchMain<Widget>(cache);
  cache.start(s.tasks);
  s.tasks.spawn("controller", controller.run());
  CHECK(s.until([&] { return counting.saved["a"] == 3 && counting.saved["b"] == 3 && counting.saved["c"] == 3; }));
  s.create("d", 1);
  CHECK(s.until([&] { return counting.saved["d"] == 3; }));
  CHECK(counting.stale == 0);
  s.close();
  for (const char* name : {"a", "b", "c", "d"}) CHECK(s.stored(name)->status.errors == 3);
}

TEST_CASE("on every server: repetitions raise the count of one Event", "[runtime][events]") {
  Session s;
  const Widget a = s.create("a", 1);
  kube::EventRecorder events(s.runtime, *s.client, {.component = "test", .reportingComponent = "ingot.dev/test"});
  s.tasks.spawn("events", events.run());
  const kube::ObjectReference about{
      .kind = "Widget", .namespace_ = s.space, .name = "a", .uid = a.metadata.uid, .apiVersion = "test.ingot.dev/v1"};
  for (int i = 0; i < 3; ++i) {
    events.normal(about, "Resized", "larger than before");
    s.run(events.flushed());
  }
  events.warning(about, "TooLarge", "does not fit");
  s.run(events.flushed());
  auto stored = s.run(s.somebody->list<kube::Event>({.namespace_ = s.space}));
  REQUIRE(stored.size() == 2);
  std::ranges::sort(stored, {}, &kube::Event::reason);
  CHECK(stored[0].reason == "Resized");
  CHECK(stored[0].count == 3);
  CHECK(stored[0].involvedObject.uid == a.metadata.uid);
  CHECK(stored[1].type == "Warning");
  CHECK(events.dropped() == 0);
  s.close();
}

TEST_CASE("on every server: a leader that stops hands over, and terms grow", "[runtime][election]") {
  Session s;
  CandidateOnServer a(s, "a");
  CHECK(s.until([&] { return a.working; }));
  CandidateOnServer b(s, "b");
  CHECK(s.until([&] { return b.elector.holder() == "a"; }));
  CHECK_FALSE(b.working);
  a.stop();
  CHECK(s.until([&] { return b.working; }));
  CHECK(a.terms == std::vector<std::int64_t>{0});
  CHECK(b.terms == std::vector<std::int64_t>{1});
}

TEST_CASE("on every server: a leader that is cut off stops before another one starts", "[runtime][election]") {
  Session s;
  CandidateOnServer a(s, "a", 6s);
  CHECK(s.until([&] { return a.working; }));
  CandidateOnServer b(s, "b", 6s);
  CHECK(s.until([&] { return b.elector.holder() == "a"; }));
  a.link.cut(true);
  bool both = false;
  CHECK(s.until([&] {
    both = both || (a.working && b.working);
    return b.working;
  }));
  CHECK_FALSE(both);
  CHECK(a.ended == kube::LeaderElector::Ended::leaseNotRenewed);
  CHECK(b.terms.front() > a.terms.front());
}
