// The judges of the hours, each on its own.
#include "tests/coordinator/fleet_seeds/leases_heard.hpp"
#include "tests/coordinator/fleet_seeds/log_knowledge.hpp"
#include "tests/coordinator/fleet_seeds/pausable.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

const base::MonoTime start{1h};

wire::Grant granted(std::int64_t term, std::int64_t lease, std::int64_t echoMs = 1, bool mayAct = true) {
  wire::Grant grant;
  grant.host = "u1";
  grant.token = {term, lease, 0};
  grant.echoMs = echoMs;
  grant.mayAct = mayAct;
  return grant;
}

wire::LogAcknowledge read(int end) {
  return {.host = "u1", .log = "/sel", .end = {end == 0 ? "" : std::to_string(end), ""}};
}

wire::LogFacts of(int end, std::int64_t term = 0) {
  return {.host = "u1", .term = term, .log = "/sel", .entries = {{.id = std::to_string(end)}}};
}

}  // namespace

TEST_CASE("a timer that was late is silent when its alarm has gone on the same turn of the loop") {
  Loop loop;
  const auto executor = loop.io.get_executor();
  const auto pause = std::make_shared<Pause>(executor);
  PausableClock clock(loop.clock, pause);
  int rung = 0;
  const auto kept = clock.alarm(executor, clock.now() + 1s, [&rung] { ++rung; });
  auto dropped = clock.alarm(executor, clock.now() + 1s, [&rung] { rung += 10; });
  pause->begin();
  loop.clock.advance(2s);
  boost::asio::post(executor, [&dropped] { dropped.reset(); });
  pause->end();
  CHECK(rung == 0);
  loop.clock.settle();
  CHECK(rung == 1);
}

TEST_CASE("a lease lasts from the stamp that it echoes, and is renewed by its own number only") {
  LeasesHeard leases(start, 4);
  CHECK_FALSE(leases.mayWrite("u1", start));
  leases.hear(granted(5, 1));
  CHECK(leases.mayWrite("u1", start + 14s));
  CHECK_FALSE(leases.mayWrite("u1", start + 15s));
  CHECK_FALSE(leases.mayWrite("u2", start));
  leases.hear(wire::Renew{.term = 5, .echoMs = 10'001, .leases = {{"u1", 2}}});
  CHECK_FALSE(leases.mayWrite("u1", start + 15s));
  leases.hear(wire::Renew{.term = 5, .echoMs = 10'001, .leases = {{"u1", 1}}});
  CHECK(leases.mayWrite("u1", start + 24s));
}

TEST_CASE("a lease ends for whoever says that it is done with it, and a later one does not") {
  LeasesHeard leases(start, 4);
  leases.hear(granted(5, 2));
  leases.said({.host = "u1", .term = 5, .lease = 1});
  CHECK(leases.mayWrite("u1", start));
  leases.said({.host = "u1", .term = 5, .lease = 2});
  CHECK_FALSE(leases.mayWrite("u1", start));
  leases.hear(granted(5, 3));
  CHECK(leases.mayWrite("u1", start));
}

TEST_CASE("a lease ends with a revocation, a later coordinator and an approval that is taken away") {
  LeasesHeard leases(start, 4);
  leases.hear(granted(3, 1));
  CHECK_FALSE(leases.mayWrite("u1", start));  // of a coordinator before
  leases.hear(granted(5, 2));
  leases.hear(wire::Revoke{.host = "u1", .term = 5, .lease = 1});
  CHECK(leases.mayWrite("u1", start));
  SECTION("revoked") { leases.hear(wire::Revoke{.host = "u1", .term = 5, .lease = 2}); }
  SECTION("a later coordinator") { leases.hear(wire::Welcome{.state = "approved", .term = 6}); }
  SECTION("not approved") { leases.hear(wire::Welcome{.state = "refused", .term = 5}); }
  SECTION("to read only") { leases.hear(granted(5, 3, 1, false)); }
  CHECK_FALSE(leases.mayWrite("u1", start));
}

TEST_CASE("what was read of a log that nobody knew is history, and news where either knew it") {
  LogKnowledge logs;
  logs.told("left", of(2));
  logs.acknowledged(read(2));
  CHECK(logs.of("u1").history == 2);
  logs.acknowledged(read(3));  // the coordinator knew
  CHECK(logs.of("u1").history == 2);
  CHECK(logs.of("u1").read == 3);
  logs.told("left", of(3));
  logs.heard("left", read(3), start);
  logs.coordinatorDied();
  SECTION("the agent knew") {
    logs.agentDied("left", start + 1min);
    logs.acknowledged(read(4));
    CHECK(logs.of("u1").history == 2);
  }
  SECTION("the agent died before it wrote that down") {
    logs.agentDied("left", start + 1s);
    logs.acknowledged(read(4));
    CHECK(logs.of("u1").history == 3);
  }
  SECTION("the agent rested before it wrote that down") {
    logs.agentRested("left", start + 1s, start + 1min);
    logs.agentDied("left", start + 61s);
    logs.acknowledged(read(4));
    CHECK(logs.of("u1").history == 3);
  }
  SECTION("an agent that nobody hears any more, after the one that knew") {
    logs.told("left", of(4, 2));
    logs.told("right", of(4, 1));
    logs.acknowledged(read(4));
    CHECK(logs.of("u1").history == 2);
  }
  SECTION("another agent") {
    logs.told("right", of(4));
    logs.acknowledged(read(4));
    CHECK(logs.of("u1").history == 3);
  }
  SECTION("an agent that was told to forget") {
    logs.heard("left", wire::Revoke{.host = "u1", .forget = true}, start);
    logs.acknowledged(read(4));
    CHECK(logs.of("u1").history == 3);
  }
}

TEST_CASE("an agent knows nothing by an acknowledgement that it does not heed") {
  LogKnowledge logs;
  logs.told("left", of(2));
  logs.acknowledged(read(2));
  SECTION("in a later term") { logs.heard("left", wire::Grant{.host = "u1", .token = {.term = 1}}, start); }
  SECTION("of what it has told otherwise since") { logs.told("left", of(5)); }
  logs.heard("left", read(2), start);
  logs.coordinatorDied();
  logs.acknowledged(read(4));
  CHECK(logs.of("u1").history == 4);
}

}  // namespace ingot::tests
