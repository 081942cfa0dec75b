#include "kube/runtime/leader_election.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Cluster;
using tests::Fault;
using Ended = kube::LeaderElector::Ended;

namespace {

// The shared clock with a wrong wall-clock time.
class SkewedClock final : public base::Clock {
 public:
  SkewedClock(base::Clock& real, base::Duration skew) : real_(real), skew_(skew) {}
  [[nodiscard]] base::MonoTime now() const override { return real_.now() + stoodStill; }
  [[nodiscard]] base::WallTime wall() const override {
    return real_.wall() + std::chrono::duration_cast<base::WallTime::duration>(skew_);
  }
  [[nodiscard]] base::Task<void> sleepUntil(base::MonoTime when) override {
    return real_.sleepUntil(when - stoodStill);
  }
  std::unique_ptr<base::Alarm> alarm(const base::Executor& executor, base::MonoTime when,
                                     std::function<void()> ring) override {
    return real_.alarm(executor, when - stoodStill, std::move(ring));
  }

  base::Duration stoodStill{};

 private:
  base::Clock& real_;
  base::Duration skew_;
};

struct Candidate {
  Cluster& c;
  SkewedClock clock;
  base::Runtime runtime;
  std::unique_ptr<kube::Client> client;
  kube::LeaderElector elector;
  base::TaskGroup tasks;
  std::vector<std::int64_t> terms;
  bool working = false, processEnded = false;
  std::optional<Ended> ended;

  Candidate(Cluster& cluster, std::string name, base::Duration skew = {})
      : c(cluster),
        clock(cluster.loop.clock, skew),
        runtime{cluster.runtime.executor, clock, cluster.runtime.random, cluster.runtime.log},
        client(kube::connect(runtime, cluster.network, {.server = "https://fake:6443"}, {.userAgent = name})),
        elector(runtime, *client, {.name = "ingot", .identity = name, .endProcess = [this] { processEnded = true; }}),
        tasks(runtime.executor, runtime.log) {}
  ~Candidate() { stop(); }

  void start() { tasks.spawn("elect", elect()); }
  void stop() { c.run(tasks.close()); }

  base::Task<void> elect() {
    ended = co_await elector.run([this](std::int64_t term) { return work(term); });
  }
  base::Task<void> work(std::int64_t term) {
    terms.push_back(term);
    working = true;
    try {
      while (true) co_await clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      working = false;
      throw;
    }
  }
};

// The first one leads by the time the second one comes.
void oneAfterTheOther(Cluster& c, Candidate& first, Candidate& second) {
  first.start();
  c.advance(1s);
  second.start();
}

kube::Lease lease(Cluster& c) { return json::decode<kube::Lease>(c.api.store.get({"leases", "default", "ingot"})); }

// This candidate's requests fail.
void cutOff(Cluster& c, std::string name) {
  c.api.fault = [name](const net::ServerRequest& r) -> std::optional<Fault> {
    if (r.headers.get("User-Agent") != name) return std::nullopt;
    return Fault{.kind = Fault::Kind::hang};
  };
}

}  // namespace

TEST_CASE("the first candidate leads, the second does nothing", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a"), b(c, "b");
  oneAfterTheOther(c, a, b);
  c.advance(10min);
  CHECK(a.working);
  CHECK_FALSE(b.working);
  CHECK(a.terms == std::vector<std::int64_t>{0});
  CHECK(b.elector.holder() == "a");
  CHECK(lease(c).spec.holderIdentity == "a");
  CHECK(lease(c).spec.leaseDurationSeconds == 15);
}

TEST_CASE("a leader that stops hands over at once", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a"), b(c, "b");
  oneAfterTheOther(c, a, b);
  c.advance(20s);
  a.stop();
  c.settle();
  CHECK(b.working);
  CHECK(b.terms == std::vector<std::int64_t>{1});
}

TEST_CASE("a leader that is cut off is followed as soon as its lease has run out", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a"), b(c, "b");
  oneAfterTheOther(c, a, b);
  c.advance(20s);
  const auto renewed = lease(c).spec.renewTime->time;
  cutOff(c, "a");
  REQUIRE(c.until([&] { return b.working; }, 1min));
  CHECK(c.loop.clock.wall() - renewed >= 15s);
  CHECK(c.loop.clock.wall() - renewed <= 15500ms);
}

TEST_CASE("a candidate follows the lease without asking again and again", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a"), b(c, "b");
  oneAfterTheOther(c, a, b);
  c.advance(4s);
  const auto before = c.api.count("GET");
  c.advance(60s);
  CHECK(c.api.count("GET") - before <= 1);
}

TEST_CASE("a candidate whose watch breaks asks again", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a"), b(c, "b");
  oneAfterTheOther(c, a, b);
  c.advance(20s);
  c.api.breakWatches(true);
  c.advance(20s);
  CHECK_FALSE(b.working);
  a.stop();
  c.advance(1s);
  CHECK(b.working);
}

TEST_CASE("a leader that stops while the answer to its renewal is lost hands over at once", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a");
  a.start();
  c.advance(10s);
  c.api.fault = [](const net::ServerRequest& r) -> std::optional<Fault> {
    if (r.method != "PUT") return std::nullopt;
    return Fault{.kind = Fault::Kind::cutAfter};
  };
  const auto before = lease(c).metadata.resourceVersion;
  while (lease(c).metadata.resourceVersion == before) c.advance(100ms);
  c.api.fault = {};
  a.stop();
  CHECK(lease(c).spec.holderIdentity == "");
}

TEST_CASE("a leader that is cut off stops before another one starts, whatever the wall clocks say",
          "[kube][election]") {
  const auto skew = GENERATE(0s, 3600s, -3600s);
  Cluster c;
  Candidate a(c, "a"), b(c, "b", skew);
  oneAfterTheOther(c, a, b);
  c.advance(1min);
  REQUIRE(a.working);
  cutOff(c, "a");
  bool bothWorked = false;
  base::MonoTime stopped{}, started{};
  for (int i = 0; i < 600 && started == base::MonoTime{}; ++i) {
    c.advance(100ms);
    bothWorked = bothWorked || (a.working && b.working);
    if (!a.working && stopped == base::MonoTime{}) stopped = c.loop.clock.now();
    if (b.working) started = c.loop.clock.now();
  }
  CHECK_FALSE(bothWorked);
  REQUIRE(started != base::MonoTime{});
  CHECK(started - stopped >= 2s);
  CHECK(a.ended == Ended::leaseNotRenewed);
  CHECK(b.terms == std::vector<std::int64_t>{1});
}

TEST_CASE("two candidates racing for a free lease: one of them leads", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a"), b(c, "b");
  a.start();
  b.start();
  c.advance(1min);
  CHECK(a.working != b.working);
}

TEST_CASE("a leader survives failures shorter than its deadline, and lost answers", "[kube][election]") {
  const auto kind = GENERATE(Fault::Kind::hang, Fault::Kind::cutAfter, Fault::Kind::answer);
  CAPTURE(static_cast<int>(kind));
  Cluster c;
  Candidate a(c, "a");
  a.start();
  c.advance(30s);
  c.api.fault = [kind](const net::ServerRequest& r) -> std::optional<Fault> {
    if (r.method != "PUT") return std::nullopt;
    return Fault{.kind = kind};
  };
  c.advance(3s);
  c.api.fault = {};
  c.advance(1min);
  CHECK(a.working);
  CHECK(a.terms.size() == 1);
}

TEST_CASE("a leader whose lease somebody took or deleted stops", "[kube][election]") {
  const bool deleted = GENERATE(false, true);
  Cluster c;
  Candidate a(c, "a");
  a.start();
  c.advance(10s);
  const tests::FakeStore::Id id{"leases", "default", "ingot"};
  if (deleted)
    static_cast<void>(c.api.store.remove(id, "", ""));
  else
    static_cast<void>(c.api.store.patch(id, json::parse(R"({"spec":{"holderIdentity":"thief"}})"), false));
  c.advance(5s);
  CHECK(a.ended == (deleted ? Ended::leaseDeleted : Ended::leaseTaken));
  CHECK_FALSE(a.working);
}

TEST_CASE("a leader after the lease was deleted begins no term that the world has seen", "[kube][election]") {
  Cluster c;
  std::int64_t least = 0;
  std::vector<std::string> asked;
  const auto lead = [&](const std::string& name) {
    std::int64_t term = -1;
    kube::LeaderElector elector(
        c.runtime, *c.client,
        {.name = "ingot", .identity = name, .leastTerm = [&](std::string lease) -> base::Task<std::int64_t> {
           asked.push_back(std::move(lease));
           co_return least;
         }});
    static_cast<void>(c.run(elector.run([&](std::int64_t t) -> base::Task<void> {
      term = t;
      co_return;
    })));
    return term;
  };
  CHECK(lead("a") == 0);
  CHECK(lead("b") == 1);
  static_cast<void>(c.api.store.remove({"leases", "default", "ingot"}, "", ""));
  least = 7;
  CHECK(lead("c") == 8);  // the last leader may have had 7, and not written it down
  least = 9;
  CHECK(lead("d") == 9);  // a Lease that is there counts on by one
  least = 2;
  CHECK(lead("e") == 10);
  CHECK(lease(c).spec.leaseTransitions == 10);
  const std::string uid = lease(c).metadata.uid;
  CHECK(asked.front().empty());
  CHECK(asked.back() == uid);
  CHECK(asked[1] != uid);  // of the one that was deleted
}

TEST_CASE("the exception of the work goes through, after the release", "[kube][election]") {
  Cluster c;
  kube::LeaderElector elector(c.runtime, *c.client, {.name = "ingot", .identity = "a"});
  CHECK_THROWS_WITH(c.run(elector.run([](std::int64_t) -> base::Task<void> {
    throw std::runtime_error("broken");
    co_return;
  })),
                    "broken");
  CHECK(lease(c).spec.holderIdentity == "");
}

namespace {

// Work that takes its time to stop, as one that waits for an answer without a deadline would.
struct Reluctant {
  Cluster c;
  bool ended = false;
  base::MonoTime lostAt{}, endedAt{};
  base::WallTime endedOn{};
  kube::ElectionOptions options() {
    return {.name = "ingot", .identity = "a", .endProcess = [this] {
              ended = true;
              endedAt = c.loop.clock.now();
              endedOn = c.loop.clock.wall();
            }};
  }
  base::Task<void> work(base::Duration stopsAfter) {
    try {
      co_await c.loop.clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      lostAt = c.loop.clock.now();
    }
    co_await base::shielded(c.loop.clock.sleepFor(stopsAfter));
  }
};

}  // namespace

TEST_CASE("work that does not stop when the lease is lost ends the process before another one may lead",
          "[kube][election]") {
  const auto stopsAfter = GENERATE(as<base::Duration>(), 0s, 4s, 1min);
  Reluctant r;
  kube::LeaderElector elector(r.c.runtime, *r.c.client, r.options());
  r.c.tasks.spawn("elect", [](kube::LeaderElector& e, Reluctant& r, base::Duration d) -> base::Task<void> {
    static_cast<void>(co_await e.run([&r, d](std::int64_t) { return r.work(d); }));
  }(elector, r, stopsAfter));
  r.c.advance(30s);
  REQUIRE(elector.leading());
  r.c.api.fault = [](const net::ServerRequest&) { return Fault{.kind = Fault::Kind::hang}; };
  r.c.advance(3min);
  CHECK(r.ended == (stopsAfter > 5s));
  if (!r.ended) return;
  CHECK(r.endedAt - r.lostAt <= 5s);
  CHECK(r.endedOn - lease(r.c).spec.renewTime->time <= 15s);  // since the last renewal that reached the lease
}

TEST_CASE("a process that stood still does not think that it leads", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a");
  a.start();
  c.advance(30s);
  CHECK(a.elector.leading());
  a.clock.stoodStill = 11s;  // no timer has run since
  CHECK(a.working);
  CHECK_FALSE(a.elector.leading());
}

TEST_CASE("a process that stood still for longer than its lease may still stop by itself", "[kube][election]") {
  Cluster c;
  Candidate a(c, "a");
  a.start();
  c.advance(30s);
  REQUIRE(a.working);
  a.clock.stoodStill = 1min;
  c.advance(1min);
  CHECK_FALSE(a.working);
  CHECK(a.ended == Ended::leaseNotRenewed);
  CHECK_FALSE(a.processEnded);
}
