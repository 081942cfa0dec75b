// A coordinator of a later term: its first word ends what earlier ones granted, and the agent says what is under way
// yet.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("the first word of a later coordinator ends every right that earlier ones gave, for good") {
  Serving bench;
  CHECK(bench.agent->actsOn("u1"));
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  CHECK_FALSE(bench.agent->actsOn("u1"));
  CHECK(bench.lastHeartbeat().term == 6);
  CHECK(bench.lastHeartbeat().acting.empty());
  SECTION("commands") { CHECK(bench.command({5, 1, 1}).errorCode == "no-lease"); }
  SECTION("renewals") {
    bench.say(wire::Renew{.term = 5, .echoMs = bench.lastStamp(), .leases = {{"u1", 1}}});
    CHECK_FALSE(bench.agent->actsOn("u1"));
  }
  SECTION("grants, also after a restart") {
    bench.say(bench.grant({5, 2, 0}));
    CHECK_FALSE(bench.agent->actsOn("u1"));
    bench.stop();
    bench.start();
    bench.clock.advance(1s);
    bench.say(bench.grant({5, 3, 0}));
    CHECK(bench.agent->hosts() == 0);
  }
  CHECK(bench.resets() == 0);
  bench.say(bench.grant({6, 1, 0}));
  CHECK(bench.agent->actsOn("u1"));
}

TEST_CASE("it goes on reading while it waits for a grant of the new coordinator") {
  Serving bench;
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  const auto before = bench.all<wire::Facts>().size();
  bench.clock.advance(12s);
  CHECK(bench.all<wire::Facts>().size() > before);
}

TEST_CASE("who held the right when the new term began says so, once") {
  Serving bench;
  const bool inTime = GENERATE(true, false);
  if (!inTime) bench.clock.advance(20s);
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  bench.say(bench.grant({6, 1, 0}, false));
  REQUIRE_FALSE(bench.all<wire::Idle>().empty());
  CHECK(bench.all<wire::Idle>().back().wasHolder == inTime);
  bench.say(wire::Welcome{.state = "approved", .term = 7});
  bench.say(bench.grant({7, 1, 0}, false));
  CHECK_FALSE(bench.all<wire::Idle>().back().wasHolder);  // under term 6 it had none
}

TEST_CASE("a right of two terms ago says nothing of the present: another may have got it in between") {
  Serving bench;
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  bench.say(wire::Welcome{.state = "approved", .term = 7});
  bench.say(bench.grant({7, 1, 0}, false));
  CHECK_FALSE(bench.all<wire::Idle>().back().wasHolder);
}

TEST_CASE("a write that is under way when a later coordinator speaks is told, and so is its end") {
  Serving bench;
  bench.bmc.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.target.find("Reset") != std::string::npos) co_await bench.clock.sleepFor(5s);
  };
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  REQUIRE(bench.clock.advanceUntil([&] { return bench.resets() == 1; }, 3s));
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  CHECK(bench.lastHeartbeat().term == 6);
  CHECK(bench.lastHeartbeat().acting == std::vector<std::string>{"u1"});
  REQUIRE(bench.clock.advanceUntil([&] { return bench.lastHeartbeat().acting.empty(); }, 10s));
  REQUIRE(bench.clock.advanceUntil([&] { return !bench.all<wire::CommandResult>().empty(); }, 5s));
  CHECK(bench.all<wire::CommandResult>().back().outcome == "done");
}

TEST_CASE("a result that nobody has acknowledged when a later coordinator speaks is told until it is") {
  Serving bench;
  REQUIRE(bench.command({5, 1, 1}).outcome == "done");
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  CHECK(bench.lastHeartbeat().acting == std::vector<std::string>{"u1"});
  bench.say(wire::Acknowledge{"u1", {5, 1, 1}});
  CHECK(bench.lastHeartbeat().acting.empty());
}

TEST_CASE("a command that was sent under one lease is not carried out under the next") {
  Serving bench;
  bench.bmc.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "GET") co_await bench.clock.sleepFor(6s);  // it takes its time for the first look
  };
  bench.clock.advance(12s);
  bench.say(wire::Renew{.term = 5, .echoMs = bench.lastStamp(), .leases = {{"u1", 1}}});
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  bench.clock.advance(1s);
  SECTION("of the same coordinator") {
    bench.say(bench.grant({5, 2, 0}, false));
    CHECK(bench.all<wire::Idle>().back().lease == 2);
    bench.say(bench.grant({5, 3, 0}));
  }
  SECTION("of the next one") {
    bench.say(wire::Welcome{.state = "approved", .term = 6});
    CHECK(bench.lastHeartbeat().acting.empty());
    bench.say(bench.grant({6, 1, 0}));
  }
  REQUIRE(bench.clock.advanceUntil([&] { return !bench.all<wire::CommandResult>().empty(); }, 30s));
  CHECK(bench.all<wire::CommandResult>().back().outcome == "refused");
  CHECK(bench.all<wire::CommandResult>().back().errorCode == "no-lease");
  CHECK(bench.resets() == 0);
}

TEST_CASE("a command that is being carried out is told with the hello, and for how long") {
  Serving bench;
  bench.bmc.powerState = "On";
  bench.bmc.obeys = false;
  bench.say(wire::Command{"u1", {5, 1, 1}, "soft-off"});
  REQUIRE(bench.clock.advanceUntil([&] { return bench.resets() == 1; }, 3s));
  bench.clock.advance(10s);
  bench.say(wire::Welcome{.state = "pending", .term = 6, .sayHello = true});
  REQUIRE(bench.all<wire::CommandResult>().size() == 1);
  const auto told = bench.all<wire::CommandResult>()[0];
  CHECK(told.outcome == "running");
  CHECK(told.action == "soft-off");
  CHECK(told.token == wire::Token{5, 1, 1});
  CHECK(told.askedAgoMs >= 10000);
  bench.bmc.powerState = "Off";
  REQUIRE(bench.clock.advanceUntil([&] { return bench.all<wire::CommandResult>().size() == 2; }, 10s));
  CHECK(bench.all<wire::CommandResult>()[1].outcome == "done");
}

TEST_CASE("an agent that died after it asked says how long ago that was") {
  Serving bench;
  bench.bmc.obeys = false;
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  REQUIRE(bench.clock.advanceUntil([&] { return bench.resets() == 1; }, 3s));
  const auto disk = bench.journal.hosts;  // what a SIGKILL leaves
  bench.stop();
  bench.journal.hosts = disk;
  bench.clock.advance(3s);
  bench.start();
  REQUIRE(bench.clock.advanceUntil(
      [&] {
        return bench.all<wire::CommandResult>().back().outcome == "unknown" &&
               bench.all<wire::Hello>().back().boot == "boot-2";
      },
      3s));
  const auto told = bench.all<wire::CommandResult>().back();
  CHECK(told.askedAgoMs >= 0);  // it may have left a lease later than it was recorded
  CHECK(told.askedAgoMs < 5000);
}

TEST_CASE("a term that cannot be written down is not told: others wait until the leases have run out") {
  Serving bench;
  bench.journal.failing = true;
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  CHECK_FALSE(bench.agent->actsOn("u1"));
  bench.clock.advance(3s);
  CHECK(bench.lastHeartbeat().term == 5);
  bench.journal.failing = false;
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  CHECK(bench.lastHeartbeat().term == 6);
}
