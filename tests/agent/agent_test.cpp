// The agent against a coordinator that the test plays.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("an agent introduces itself until somebody answers, and serves nobody unasked") {
  AgentBench bench;
  bench.clock.advance(10s);
  CHECK(bench.all<wire::Hello>().size() >= 5);
  CHECK(bench.all<wire::Hello>()[0].name == "near");
  CHECK(bench.agent->hosts() == 0);
}

TEST_CASE("a grant starts polling; facts come with their grant and their age") {
  Serving bench;
  const auto facts = bench.all<wire::Facts>();
  REQUIRE_FALSE(facts.empty());
  CHECK(facts.back().power == "Off");
  CHECK(facts.back().term == 5);
  CHECK(facts.back().lease == 1);
  CHECK(facts.back().stampMs > 0);
  bench.clock.advance(30s);
  const auto polls = bench.all<wire::Facts>().size() - facts.size();
  CHECK((polls >= 5 && polls <= 7));
}

TEST_CASE("a command is carried out, proved, and told until it is acknowledged") {
  Serving bench;
  const auto result = bench.command({5, 1, 1});
  CHECK(result.outcome == "done");
  CHECK(result.power == "On");
  CHECK(bench.resets() == 1);
  bench.say(wire::Welcome{.state = "approved", .term = 5, .sayHello = true});
  bench.clock.advance(1s);
  CHECK(bench.all<wire::CommandResult>().size() == 2);  // again with the hello
  bench.say(wire::Acknowledge{"u1", {5, 1, 1}});
  bench.say(wire::Welcome{.state = "approved", .term = 5, .sayHello = true});
  bench.clock.advance(1s);
  CHECK(bench.all<wire::CommandResult>().size() == 2);
}

TEST_CASE("no command begins before the result of the last one is known: its sender may not have heard of it") {
  Serving bench;
  REQUIRE(bench.command({5, 1, 1}).outcome == "done");
  bench.bmc.powerState = "Off";
  bench.heard.clear();
  bench.say(wire::Command{"u1", {5, 1, 2}, "on"});
  const auto answers = bench.all<wire::CommandResult>();
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].token == wire::Token{5, 1, 2});
  CHECK(answers[0].outcome == "refused");
  CHECK(answers[0].errorCode == "busy");
  CHECK(answers[1].token == wire::Token{5, 1, 1});  // told again: it may have been lost
  CHECK(answers[1].outcome == "done");
  CHECK(bench.resets() == 1);
  bench.say(wire::Acknowledge{"u1", {5, 1, 1}});
  CHECK(bench.command({5, 1, 3}).outcome == "done");
  CHECK(bench.resets() == 2);
}

TEST_CASE("a change that a poll saw come true is done, though it is lost before the command looks itself") {
  Serving bench;
  auto often = bench.grant({5, 2, 0});
  often.powerPollMs = 200;
  bench.say(often);
  bench.clock.advance(6s);  // the poll of the first grant is over
  bench.say(wire::Command{"u1", {5, 2, 1}, "on"});
  REQUIRE(bench.clock.advanceUntil([&] { return bench.all<wire::Facts>().back().power == "On"; }, 900ms));
  REQUIRE(bench.all<wire::CommandResult>().empty());
  bench.bmc.powerState = "Off";  // somebody pulls the cord
  REQUIRE(bench.clock.advanceUntil([&] { return !bench.all<wire::CommandResult>().empty(); }, 5s));
  CHECK(bench.all<wire::CommandResult>()[0].outcome == "done");
  CHECK(bench.all<wire::Facts>().back().power == "Off");
  bench.say(wire::Acknowledge{"u1", {5, 2, 1}});
  CHECK(bench.command({5, 2, 2}).outcome == "done");  // nothing stands in the way of the next one
  CHECK(bench.resets() == 2);
}

TEST_CASE("orders of an earlier coordinator, of another lease, or of yesterday are refused") {
  struct Row {
    std::string what;
    wire::Token token;
    std::string code;
  };
  const auto row = GENERATE(values<Row>({{"an earlier coordinator", {4, 1, 9}, "stale-token"},
                                         {"another lease", {5, 2, 1}, "stale-token"},
                                         {"an earlier lease", {5, 0, 1}, "stale-token"},
                                         {"the same again", {5, 1, 1}, "stale-token"},
                                         {"no command at all", {5, 1, 0}, "stale-token"}}));
  INFO(row.what);
  Serving bench;
  REQUIRE(bench.command({5, 1, 1}).outcome == "done");
  bench.bmc.powerState = "Off";
  const auto refused = bench.command(row.token);
  CHECK(refused.outcome == "refused");
  CHECK(refused.errorCode == row.code);
  CHECK(bench.resets() == 1);
}

TEST_CASE("a grant of an earlier coordinator is refused, also after a restart") {
  Serving bench;
  REQUIRE(bench.command({5, 1, 1}).outcome == "done");
  bench.stop();
  bench.start();
  bench.clock.advance(1s);
  bench.say(bench.grant({4, 8, 0}));
  CHECK(bench.agent->hosts() == 0);
  bench.say(bench.grant({6, 1, 0}));
  CHECK(bench.agent->hosts() == 1);
}

TEST_CASE("nothing is written after the lease has run out; reading goes on") {
  Serving bench;
  bench.clock.advance(20s);
  CHECK(bench.command({5, 1, 1}).errorCode == "no-lease");
  CHECK(bench.resets() == 0);
  CHECK(bench.all<wire::Facts>().back().power == "Off");
}

TEST_CASE("a renewal counts from the stamp it echoes, of this very grant") {
  Serving bench;
  bench.clock.advance(9s);
  const auto renew = [&](std::int64_t term, std::int64_t lease, std::int64_t echo) {
    bench.say(wire::Renew{.term = term, .echoMs = echo, .leases = {{"u1", lease}}});
  };
  SECTION("fresh") {
    renew(5, 1, bench.lastStamp());
    bench.clock.advance(10s);
    CHECK(bench.command({5, 1, 1}).outcome == "done");
  }
  SECTION("of another lease") {
    renew(5, 2, bench.lastStamp());
    bench.clock.advance(10s);
    CHECK(bench.command({5, 1, 1}).errorCode == "no-lease");
  }
  SECTION("of an earlier term") {
    renew(4, 1, bench.lastStamp());
    bench.clock.advance(10s);
    CHECK(bench.command({5, 1, 1}).errorCode == "no-lease");
  }
  SECTION("held back on the way for long") {
    renew(5, 1, 1);
    bench.clock.advance(10s);
    CHECK(bench.command({5, 1, 1}).errorCode == "no-lease");
  }
  SECTION("with a stamp that was never given") {
    renew(5, 1, bench.lastStamp() + 1'000'000);
    bench.clock.advance(10s);
    CHECK(bench.command({5, 1, 1}).errorCode == "no-lease");
  }
}

TEST_CASE("a slow BMC does not carry a write past the end of the lease") {
  Serving bench;
  bench.bmc.before = [&bench](const net::ServerRequest&) { return bench.clock.sleepFor(9s); };
  const auto result = bench.command({5, 1, 1});  // after two reads the lease is over
  CHECK(result.outcome == "refused");
  CHECK(result.errorCode == "no-lease");
  CHECK(bench.resets() == 0);
}

TEST_CASE("a disk that stalls carries no write past the end of the lease") {
  int saves = 0;
  Serving bench;
  bench.disk.onSave = [&] {
    if (++saves == 2) bench.agentClock.stall(20s);  // the first one says that it begins, the second that it is sent
  };
  const auto result = bench.command({5, 1, 1});
  CHECK(saves >= 2);
  CHECK(result.outcome == "refused");
  CHECK(result.errorCode == "no-lease");
  CHECK(result.askedAgoMs == -1);
  CHECK(bench.resets() == 0);
  CHECK(bench.bmc.powerState == "Off");
}

TEST_CASE("a pause of the process at any step of a command sends nothing afterwards") {
  for (int step = 1; step < 40; ++step) {
    int steps = 0;
    bool isSent = false, wasPaused = false;
    Serving bench;
    const auto pause = [&] {
      if (++steps != step || isSent) return;
      wasPaused = true;
      bench.agentClock.stall(20s);
    };
    bench.disk.onSave = pause;
    bench.network.beforeRequest = [&](const net::ClientOptions&, const net::HttpRequest&) { pause(); };
    bench.bmc.before = [&](const net::ServerRequest& request) -> base::Task<void> {
      isSent = isSent || request.path().ends_with("ComputerSystem.Reset");
      pause();
      co_return;
    };
    static_cast<void>(bench.command({5, 1, 1}));
    bench.disk.onSave = nullptr;
    bench.network.beforeRequest = nullptr;
    bench.bmc.before = nullptr;
    CAPTURE(step, wasPaused);
    CHECK((bench.resets() == 0) == wasPaused);
    if (!wasPaused) {
      CHECK(step > 4);
      break;
    }
  }
}

TEST_CASE("a command whose first request was carried out was not refused, though the lease ended before the second") {
  Serving bench;
  bench.bmc.powerState = "On";
  bench.bmc.onReset = [&bench] { bench.agentClock.stall(20s); };
  const auto result = bench.command({5, 1, 1}, "hard-reboot");
  bench.bmc.onReset = nullptr;
  CHECK(bench.resets() == 1);
  CHECK(result.outcome == "unknown");
  CHECK(result.askedAgoMs >= 0);
}

TEST_CASE("a BMC that says too much costs nobody the link") {
  Serving bench;
  bench.bmc.obeys = false;
  bench.bmc.powerState = std::string(300'000, 'x');
  const auto result = bench.command({5, 1, 1});
  CHECK(result.error.size() < 10'000);
  bench.clock.advance(1min);
  for (const auto& facts : bench.all<wire::Facts>()) CHECK(facts.rawPower.size() <= 256);
}

TEST_CASE("power is told before anything else is asked, and whatever becomes of that") {
  AgentBench bench;
  bench.bmc.powerState = "On";
  bench.bmc.documents["/redfish/v1/Systems/1"] =
      R"({"Id":"1","Model":"m1","PowerState":"On","Links":{"ManagedBy":[{"@odata.id":"/redfish/v1/Managers/1"}]}})";
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/redfish/v1/Managers/1") co_await bench.clock.sleepFor(20s);
  };
  bench.greet();
  bench.say(bench.grant({5, 1, 0}));
  bench.clock.advance(2s);
  REQUIRE_FALSE(bench.all<wire::Facts>().empty());
  CHECK(bench.all<wire::Facts>().back().power == "On");
  bench.clock.advance(1min);
  CHECK(bench.all<wire::Facts>().back().model == "m1");
}

TEST_CASE("a result that is too long to be sent is told without its texts, and goes once it is acknowledged") {
  AgentBench bench;
  bench.stop();
  bench.journal.hosts["u2"] = {
      .highest = {5, 1, 1},
      .unacknowledged = {
          {.host = "u2", .token = {5, 1, 1}, .outcome = "failed", .action = "on", .error = std::string(300'000, 'x')}}};
  bench.heard.clear();
  bench.start();
  bench.greet();
  const auto results = bench.all<wire::CommandResult>();
  REQUIRE_FALSE(results.empty());
  CHECK(results.front().outcome == "failed");
  CHECK_THAT(results.front().error, Catch::Contains("too long to be sent"));
  bench.say(wire::Acknowledge{.host = "u2", .token = {5, 1, 1}});
  CHECK(bench.journal.hosts["u2"].unacknowledged.empty());
}

TEST_CASE("a command that never arrived is disowned for good") {
  Serving bench;
  bench.say(wire::CommandQuery{"u1", {5, 1, 7}});
  REQUIRE(bench.all<wire::CommandResult>().size() == 1);
  CHECK(bench.all<wire::CommandResult>()[0].errorCode == "not-received");
  CHECK(bench.command({5, 1, 7}).errorCode == "stale-token");
  CHECK(bench.resets() == 0);
}

TEST_CASE("a journal that cannot be written means no command, and the agent lives on") {
  Serving bench;
  bench.journal.failing = true;
  CHECK(bench.command({5, 1, 1}).errorCode == "journal");
  bench.say(wire::CommandQuery{"u1", {5, 1, 9}});
  CHECK(bench.resets() == 0);
  bench.journal.failing = false;
  CHECK(bench.command({5, 1, 2}).outcome == "done");
}

TEST_CASE("an agent that is no longer approved wipes what it has and logs out") {
  Serving bench;
  bench.say(wire::Welcome{.state = "pending", .term = 5});
  bench.clock.advance(2s);
  CHECK(bench.agent->hosts() == 0);
  CHECK(bench.bmc.logouts.size() == 1);
}

TEST_CASE("an agent that ends waits three seconds for a BMC that does not log it out") {
  Serving bench;
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "DELETE") co_await bench.clock.sleepFor(60s);
  };
  const auto begin = bench.clock.now();
  bench.stop();
  CHECK(bench.clock.now() - begin >= 3s);
  CHECK(bench.clock.now() - begin < 4s);
}

TEST_CASE("the old session is closed although the new credentials are refused") {
  Serving bench;
  auto grant = bench.grant({5, 2, 0});
  grant.password = base::Secret("mistyped");
  bench.say(grant);
  bench.clock.advance(10s);
  CHECK(bench.bmc.logins == 2);  // the second was refused, and is not repeated
  CHECK(bench.bmc.logouts.size() == 1);
}

TEST_CASE("new credentials are used at once; the old session is closed") {
  Serving bench;
  bench.bmc.password = "changed";
  auto grant = bench.grant({5, 2, 0});
  grant.password = base::Secret("changed");
  bench.say(grant);
  bench.clock.advance(1s);
  CHECK(bench.bmc.logins == 2);
  CHECK(bench.bmc.logouts.size() == 1);
  CHECK(bench.all<wire::Facts>().back().power == "Off");
  CHECK(bench.all<wire::Facts>().back().lease == 2);
}

TEST_CASE("what is no message is dropped, and the next one is heard") {
  Serving bench;
  bench.coordinator->send(bench.peer, "noise");
  bench.coordinator->send(bench.peer, R"({"v":1,"kind":"grant","body":{"token":"x"}})");
  bench.clock.settle();
  CHECK(bench.command({5, 1, 1}).outcome == "done");
}
