// A BMC behind IPMI that takes minutes to tell its log, and is quick with everything else (spec/bmc.md §15.3).
#include "tests/agent/fixture.hpp"
#include "tests/bmc/ipmi_results.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

class SlowList final : public base::ProcessRunner {
 public:
  explicit SlowList(base::Clock& clock) : clock_(clock) {}

  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    const auto& argv = spec.argv;
    const auto has = [&](const char* word) { return std::ranges::find(argv, word) != argv.end(); };
    if (has("elist") && has("sel")) co_return co_await list(spec.deadline);
    if (has("elist")) co_return said("MBTemp,48,degrees C,ok\n");
    if (argv.back() == "info")
      co_return said(fmt::format("Device ID : 32\nEntries : {}\nLast Add Time : x\n", entries));
    if (has("chassis")) co_return said("System Power : on\n");
    if (argv.back() == "status") co_return said(isOn ? "Chassis Power is on\n" : "Chassis Power is off\n");
    isOn = argv.back() == "on";
    co_return said("Chassis Power Control: done\n");
  }
  base::Duration takes{};
  int entries = 1, begun = 0, ended = 0, underWay = 0;
  bool isOn = true;

 private:
  base::Task<base::ProcessResult> list(base::Duration deadline) {
    ++begun;
    const Under under(*this);
    co_await clock_.sleepFor(std::min(takes, deadline));
    ++ended;
    if (takes > deadline) co_return base::ProcessResult{.exitCode = 143, .timedOut = true};
    co_return said("1,11/20/26,23:49:22 UTC,Temperature MBTemp,Upper Critical going high,Asserted\n");
  }
  struct Under {
    explicit Under(SlowList& list) : of(list) { ++of.underWay; }
    ~Under() { --of.underWay; }
    Under(const Under&) = delete;
    Under& operator=(const Under&) = delete;
    SlowList& of;
  };
  base::Clock& clock_;
};

struct SlowLog : AgentBench {
  explicit SlowLog(base::Duration takes) {
    stop();
    ipmitool.takes = takes;
    programs = &ipmitool;
    heard.clear();
    start();
    greet();
    auto wanted = grant({5, 1, 0});
    wanted.address = "ipmi://bmc.example";
    wanted.powerPollMs = 30'000;
    wanted.logPollMs = 120'000;
    say(wanted);
  }
  ~SlowLog() { stop(); }
  void serveFor(base::Duration time) {
    for (base::Duration passed{}; passed < time; passed += 10s) {
      renew();
      clock.advance(10s);
    }
  }
  void renew() { say(wire::Renew{.term = 5, .echoMs = lastStamp(), .ttlMs = 60'000, .leases = {{"u1", 1}}}); }
  [[nodiscard]] wire::Facts last() const { return all<wire::Facts>().back(); }

  SlowList ipmitool{clock};
};

}  // namespace

TEST_CASE("a log that ipmitool takes minutes for is read, and its BMC counts as one that answers") {
  SlowLog bench(4min);
  bench.serveFor(6min);
  REQUIRE(bench.all<wire::LogFacts>().size() == 1);
  CHECK(bench.all<wire::LogFacts>().front().entries.size() == 1);
  CHECK(bench.last().bmcErrorCode.empty());
  CHECK(bench.last().unread.empty());
}

TEST_CASE(
    "a log that ipmitool never comes to the end of is told to be too slow, and keeps nothing else from being read") {
  SlowLog bench(1h);
  bench.serveFor(30min);
  CHECK(bench.all<wire::LogFacts>().empty());
  CHECK(bench.ipmitool.ended >= 3);  // it is tried again
  const auto facts = bench.last();
  CHECK(facts.bmcErrorCode.empty());
  CHECK(facts.power == "On");
  CHECK(facts.powerAgeMs < 330'000);
  REQUIRE(facts.unread.size() == 1);
  CHECK(facts.unread.front().what == "logs");
  CHECK(facts.unread.front().code == "busy");
  CHECK_THAT(facts.unread.front().error, Catch::Contains("takes longer than 300 s"));
  bench.ipmitool.takes = 1s;
  bench.serveFor(30min);
  CHECK(bench.last().unread.empty());
  CHECK_FALSE(bench.all<wire::LogFacts>().empty());
}

TEST_CASE("a power command does not wait for a reading that takes minutes: that is ended, and read another time") {
  SlowLog bench(4min);
  const auto* action = GENERATE("hard-off", "soft-off");
  REQUIRE(bench.clock.advanceUntil([&] { return bench.ipmitool.underWay == 1; }, 1min));
  bench.renew();
  const auto asked = bench.clock.now();
  CHECK(bench.command({5, 1, 1}, action).outcome == "done");
  CHECK(bench.clock.now() - asked <= 2s);
  CHECK(bench.ipmitool.underWay == 0);
  CHECK(bench.ipmitool.ended == 0);
  CHECK(bench.last().bmcErrorCode.empty());
  CHECK(bench.last().unread.empty());
  bench.serveFor(10min);
  CHECK(bench.all<wire::LogFacts>().size() == 1);
}
