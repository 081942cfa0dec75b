// What agents tell of the logs of BMCs, and what they remember of it.
#include "base/file.hpp"
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>
#include <filesystem>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct WithLog : AgentBench {
  explicit WithLog(const std::string& positions = "") : AgentBench("", "", positions) {
    bmc.powerState = "On";
    log(1);
  }
  // So many entries, a minute apart.
  void log(int count) {
    std::string members;
    for (int i = 1; i <= count; ++i)
      members += fmt::format(R"({}{{"Id":"{}","Created":"2026-11-20T10:{:02}:00Z","Message":"m","Severity":"OK"}})",
                             i == 1 ? "" : ",", i, i);
    bmc.showLog(count, members);
  }
  void serve(std::int64_t term = 5) {
    if (all<wire::Hello>().empty() || term > 5) {
      clock.advance(3s);
      say(wire::Welcome{.state = "approved", .term = term});
      clock.advance(3s);
    }
    auto wanted = grant({term, 1, 0});
    wanted.logPollMs = 60'000;
    say(wanted);
  }
  [[nodiscard]] wire::LogFacts told() const { return all<wire::LogFacts>().back(); }
  [[nodiscard]] std::size_t times() const { return all<wire::LogFacts>().size(); }
  // So many entries are in it, told and acknowledged.
  void know(int count) {
    log(count);
    serve();
    clock.advance(1min);
    acknowledge();
  }
  void acknowledge() { say(wire::LogAcknowledge{.host = "u1", .log = "/sel", .end = bmc::endOf(told().entries)}); }
};

struct PositionsFile {
  std::string path = fmt::format("/tmp/ingot-logs-test-{}.json", ::getpid());
  PositionsFile() { std::filesystem::remove(path); }
  ~PositionsFile() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("an agent says once that the clock of a BMC is wrong, and once that it is right again", "[logs]") {
  WithLog bench;
  bench.bmc.moreOfSystem += R"(,"Links":{"ManagedBy":[{"@odata.id":"/mgr"}]})";
  const auto runsAhead = [&](base::Duration by) {
    bench.bmc.documents["/mgr"] = fmt::format(R"({{"DateTime":"{}"}})", base::formatTime(bench.clock.wall() + by));
  };
  const auto said = [&](std::string_view words) {
    return std::ranges::count_if(bench.said->lines(), [&](const auto& line) { return line.contains(words); });
  };
  runsAhead(-1h);
  bench.serve();
  bench.clock.advance(3min);
  CHECK(said("the clock of a BMC is wrong, and so are the times in its logs host=metal/a") == 1);
  for (int minute = 0; minute < 15; ++minute) {
    runsAhead(4min);
    bench.clock.advance(1min);
  }
  CHECK(said("the clock of a BMC is wrong") == 1);
  CHECK(said("the clock of a BMC is right again") == 1);
}

TEST_CASE("a log is told once, as history; then what comes into it, as news", "[logs]") {
  WithLog bench;
  bench.serve();
  bench.clock.advance(1min);
  REQUIRE(bench.times() == 1);
  CHECK(bench.told().log == "/sel");
  CHECK(bench.told().term == 5);
  CHECK(bench.told().entries.size() == 1);
  CHECK(bench.told().known == 1);
  bench.acknowledge();
  bench.clock.advance(10min);
  CHECK(bench.times() == 1);
  bench.log(3);
  bench.clock.advance(2min);
  CHECK(bench.told().entries.size() == 3);
  CHECK(bench.told().known == 1);
}

TEST_CASE("what nobody has acknowledged is told again, and is still news", "[logs]") {
  WithLog bench;
  bench.know(1);
  bench.log(2);
  bench.clock.advance(5min);
  CHECK(bench.times() >= 4);
  CHECK(bench.told().known == 1);
  bench.say(wire::LogAcknowledge{.host = "u1", .log = "/sel", .end = {"9", ""}});  // of something else
  const auto times = bench.times();
  bench.clock.advance(2min);
  CHECK(bench.times() > times);
  CHECK(bench.told().known == 1);
  bench.acknowledge();
  bench.clock.advance(2min);
  const auto settled = bench.times();
  bench.clock.advance(5min);
  CHECK(bench.times() == settled);
}

TEST_CASE("a new coordinator is told the log, and that it is known", "[logs]") {
  WithLog bench;
  bench.know(1);
  bench.clock.advance(2min);
  const auto times = bench.times();
  bench.serve(6);
  bench.clock.advance(2min);
  REQUIRE(bench.times() > times);
  CHECK(bench.told().term == 6);
  CHECK(bench.told().entries.size() == 1);
  CHECK(bench.told().known == 1);
}

TEST_CASE("what was logged while the agent was down is news when it is back", "[logs]") {
  const PositionsFile file;
  bool isDamaged = false;
  {
    WithLog bench(file.path);
    bench.serve();
    bench.clock.advance(1min);
    bench.acknowledge();
    bench.clock.advance(10s);
    bench.stop();
    SECTION("remembered") {}
    SECTION("damaged") { isDamaged = true, base::writeFileAtomically(file.path, "{\"u1\":", 0600); }
  }
  WithLog bench(file.path);
  bench.log(2);
  bench.serve();
  bench.clock.advance(1min);
  REQUIRE(bench.times() == 1);
  CHECK(bench.told().entries.size() == 2);
  CHECK(bench.told().known == (isDamaged ? 2 : 1));
}

TEST_CASE("what comes into an empty log while the agent is down is news when it is back", "[logs]") {
  const PositionsFile file;
  {
    WithLog bench(file.path);
    bench.log(0);
    bench.serve();
    bench.clock.advance(3min);
    bench.acknowledge();
    bench.clock.advance(10s);
    bench.stop();
  }
  WithLog bench(file.path);
  bench.log(2);
  bench.serve();
  bench.clock.advance(1min);
  REQUIRE(bench.times() == 1);
  CHECK(bench.told().known == 0);
}

TEST_CASE("a log that shows nothing for a moment is not told, and what it shows again is no news", "[logs]") {
  WithLog bench;
  bench.know(2);
  const auto told = bench.times();
  bench.log(0);
  bench.clock.advance(4min);
  CHECK(bench.times() == told);
  bench.log(2);
  bench.clock.advance(2min);
  CHECK(bench.told().known == 2);
  bench.log(3);
  bench.clock.advance(2min);
  CHECK(bench.told().known == 2);
}

TEST_CASE("a log that stays empty was cleared, and what comes into it is news, whatever its number", "[logs]") {
  WithLog bench;
  bench.know(2);
  bench.log(0);
  bench.clock.advance(13min);
  REQUIRE(bench.told().entries.empty());
  bench.acknowledge();
  bench.log(1);
  bench.clock.advance(2min);
  CHECK(bench.told().entries.size() == 1);
  CHECK(bench.told().known == 0);
}

TEST_CASE("a log that is empty at the first look is believed at the second", "[logs]") {
  WithLog bench;
  bench.log(0);
  bench.serve();
  bench.clock.advance(40s);
  CHECK(bench.times() == 0);
  bool isStarting = GENERATE(false, true);
  if (isStarting) bench.log(3);
  bench.clock.advance(2min);
  REQUIRE(bench.times() > 0);
  CHECK(bench.told().entries.size() == (isStarting ? 3 : 0));
  CHECK(bench.told().known == (isStarting ? 3 : 0));
}

TEST_CASE("what was known of a log is forgotten with the host", "[logs]") {
  WithLog bench;
  bench.know(2);
  bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1, .forget = true});
  bench.clock.advance(1min);
  bench.log(4);
  auto anew = bench.grant({5, 2, 0});
  anew.logPollMs = 60'000;
  bench.say(anew);
  bench.clock.advance(1min);
  CHECK(bench.told().lease == 2);
  CHECK(bench.told().known == 4);  // how far another agent was told is not ours to know
}

TEST_CASE("the log of another BMC is history", "[logs]") {
  WithLog bench;
  bench.know(1);
  bench.network.serve("https://other.example:443", bench.bmc);
  bench.log(2);
  auto moved = bench.grant({5, 2, 0});
  moved.logPollMs = 60'000;
  moved.address = "redfish://other.example";
  bench.say(moved);
  bench.clock.advance(2min);
  CHECK(bench.told().lease == 2);
  CHECK(bench.told().known == 2);
}

TEST_CASE("logs that nobody wants are not read, nor those of a BMC that does not answer", "[logs]") {
  int asked = 0;
  WithLog bench;
  bench.bmc.before = [&asked](const net::ServerRequest& request) -> base::Task<void> {
    asked += request.path() == "/entries" || request.path() == "/logs" ? 1 : 0;
    co_return;
  };
  bench.greet();
  SECTION("not wanted") { bench.say(bench.grant({5, 1, 0})); }
  SECTION("silent") {
    bench.serve();
    bench.clock.advance(1min);  // so that it is known where they are
    REQUIRE(asked > 0);
    asked = 0;
    bench.bmc.instead = [](const net::ServerRequest&) -> std::optional<net::HttpResponse> {
      return net::HttpResponse{.status = 0};
    };
  }
  bench.clock.advance(10min);
  CHECK(asked == 0);
}

TEST_CASE("a log that was not answered for once is soon read again, one that never is each hour", "[logs]") {
  int asked = 0;
  bool answers = true;
  WithLog bench;
  bench.bmc.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() != "/entries") co_return;
    ++asked;
    if (!answers) co_await bench.clock.sleepFor(1h);
  };
  bench.serve();
  bench.say(bench.grant({5, 2, 0}));
  const auto serveFor = [&](base::Duration time) {
    for (base::Duration passed{}; passed < time; passed += 5s) {
      auto grant = bench.grant({5, 2, 0});
      grant.logPollMs = 60'000;
      bench.say(grant);
      bench.clock.advance(5s);
    }
  };
  serveFor(1min);
  REQUIRE(bench.times() == 1);
  answers = false, asked = 0;
  bench.log(2);
  serveFor(90s);
  REQUIRE(asked == 1);
  SECTION("once") {
    answers = true;
    serveFor(5min);
    CHECK(bench.told().entries.size() == 2);
  }
  SECTION("never") {
    serveFor(2h);
    CHECK(asked >= 3);
    CHECK(asked <= 4);
  }
}

TEST_CASE("that a log of a host is not read is told, until it is", "[logs]") {
  WithLog bench;
  bench.bmc.documents["/logs"] = R"({"Members":[{"@odata.id":"/sel"},{"@odata.id":"/gone"}]})";
  bench.serve();
  bench.clock.advance(1min);
  REQUIRE(bench.times() == 1);
  auto unread = bench.all<wire::Facts>().back().unread;
  REQUIRE(unread.size() == 1);
  CHECK(unread.front().what == "logs");
  CHECK_THAT(unread.front().error, Catch::Contains("/gone"));
  bench.log(1);
  bench.clock.advance(3min);
  CHECK(bench.all<wire::Facts>().back().unread.empty());
}
