#include "agent/poll_pace.hpp"
#include "tests/agent/fixture.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace std::chrono_literals;

TEST_CASE("polls keep their interval, give or take a tenth") {
  tests::Loop loop;
  const agent::PollPace pace(loop.runtime);
  std::vector<base::Duration> pauses;
  for (int i = 0; i < 100; ++i) pauses.push_back(pace.pauseAfter(10s));
  const auto [least, most] = std::ranges::minmax(pauses);
  CHECK((least >= 9s && least < 9500ms));
  CHECK((most <= 11s && most > 10500ms));
}

TEST_CASE("hosts are polled on one beat where that is half a second more or less of many") {
  tests::Loop loop;
  loop.clock.advance(137ms);
  const agent::PollPace pace(loop.runtime);
  std::set<base::MonoTime> moments;
  base::Duration sum{};
  for (int i = 0; i < 1000; ++i) {
    const auto at = pace.next(5s);
    moments.insert(at);
    sum += at - loop.clock.now();
    CHECK(at.time_since_epoch() % 500ms == 0s);
    CHECK((at - loop.clock.now() >= 4250ms && at - loop.clock.now() <= 5750ms));
  }
  CHECK((moments.size() >= 2 && moments.size() <= 4));
  CHECK((sum / 1000 > 4900ms && sum / 1000 < 5100ms));  // neither more nor less often
  moments.clear();
  for (int i = 0; i < 100; ++i) moments.insert(pace.next(1s));
  CHECK(moments.size() > 90);
}

TEST_CASE("a host whose polls end in errors is asked less often, and as before once it answers well") {
  tests::Loop loop;
  agent::PollPace pace(loop.runtime);
  for (const auto [least, most] : {std::pair(900ms, 1100ms),
                                   {900ms, 1100ms},
                                   {3750ms, 5000ms},
                                   {7500ms, 10000ms},
                                   {15000ms, 20000ms},
                                   {22500ms, 30000ms},
                                   {22500ms, 30000ms}}) {
    pace.failed();
    const auto pause = pace.pauseAfter(1s);
    CHECK((pause >= least && pause <= most));
  }
  CHECK(pace.pauseAfter(60s) >= 54s);  // never more often than it would be
  pace.succeeded();
  CHECK(pace.pauseAfter(1s) <= 1100ms);
}

TEST_CASE("health is read at its own interval where power is read more seldom") {
  tests::AgentBench bench;
  bench.bmc.moreOfSystem = R"(,"Status":{"Health":"OK"})";
  bench.greet();
  auto wanted = bench.grant({5, 1, 0});
  wanted.powerPollMs = 600'000;
  wanted.healthPollMs = 30'000;
  bench.say(wanted);
  bench.clock.advance(5s);
  REQUIRE(bench.all<wire::Facts>().back().health == "OK");
  bench.bmc.moreOfSystem = R"(,"Status":{"Health":"Critical"})";
  for (int i = 0; i < 8; ++i) {
    bench.say(wire::Renew{.term = 5, .echoMs = bench.lastStamp(), .ttlMs = 60'000, .leases = {{"u1", 1}}});
    bench.clock.advance(10s);
  }
  CHECK(bench.all<wire::Facts>().back().health == "Critical");
}
