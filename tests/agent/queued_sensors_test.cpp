// Sensors of many BMCs that are slow: they wait for each other (docs/decisions/0043).
#include "agent/raised_health.hpp"
#include "tests/agent/fixture.hpp"
#include "tests/bmc/ipmi_results.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// One BMC with a failed power supply, and others that take minutes for their sensors.
class QuickAndSlow final : public base::ProcessRunner {
 public:
  explicit QuickAndSlow(base::Clock& clock) : clock_(clock) {}
  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    const auto has = [&](const char* word) { return std::ranges::find(spec.argv, word) != spec.argv.end(); };
    if (has("power")) co_return said("Chassis Power is on\n");
    if (has("chassis")) co_return said("System Power : on\n");
    if (!has("elist")) co_return said("Device ID : 32\n");
    if (!has("bmc.example")) {
      ++slow;
      co_await clock_.sleepFor(slowTakes);
    }
    co_return said("Status,02h,ok,10.1,Presence detected, Failure detected\n");
  }
  int slow = 0;
  base::Duration slowTakes = 280s;

 private:
  base::Clock& clock_;
};

struct ManySlow : AgentBench {
  ManySlow() {
    stop();
    programs = &ipmitool;
    heard.clear();
    start();
    greet();
    serve("u1", "ipmi://bmc.example");
    pass(2min);
  }
  ~ManySlow() { stop(); }
  void serve(const std::string& host, const std::string& address) {
    auto wanted = grant({5, 1, 0});
    wanted.host = host;
    wanted.address = address;
    wanted.sensorPollMs = 60'000;
    say(wanted);
  }
  void pass(base::Duration time) {
    for (base::Duration passed{}; passed < time; passed += 10s) {
      say(wire::Renew{.term = 5, .echoMs = lastStamp(), .ttlMs = 60'000, .leases = {{"u1", 1}}});
      clock.advance(10s);
    }
  }
  template <class T>
  std::vector<T> ofFirst() const {
    auto told = all<T>();
    std::erase_if(told, [](const auto& one) { return one.host != "u1"; });
    return told;
  }

  QuickAndSlow ipmitool{clock};
};

}  // namespace

TEST_CASE("a fault stands while the next reading waits behind others, and it is told how late that may be") {
  ManySlow bench;
  REQUIRE(bench.ofFirst<wire::Facts>().back().health == "Critical");
  CHECK(bench.ofFirst<wire::SensorFacts>().back().nextInMs == 60'000);
  const auto facts = bench.ofFirst<wire::Facts>().size();
  for (int i = 0; i < 8; ++i) bench.serve(fmt::format("slow-{}", i), fmt::format("ipmi://10.0.0.{}", i + 1));
  bench.pass(1min);
  REQUIRE(bench.ipmitool.slow == 8);
  const auto before = bench.ofFirst<wire::SensorFacts>().size();
  bench.pass(9min);
  const auto told = bench.ofFirst<wire::Facts>();
  for (auto at = facts; at < told.size(); ++at) CHECK(told[at].health == "Critical");
  const auto readings = bench.ofFirst<wire::SensorFacts>();
  REQUIRE(readings.size() > before);
  CHECK(readings[before].nextInMs >= 60'000 + 200'000);
  CHECK(readings[before].nextInMs <= 60'000 + 280'000);
  CHECK(readings.back().nextInMs == 60'000);  // nobody is in the way any more
}

TEST_CASE("what sensors raise grows no older while a reading waits, and no longer than that") {
  agent::RaisedHealth raised;
  const base::MonoTime began{};
  bmc::SensorReading reading;
  reading.raised = bmc::Health::critical;
  reading.raisedBy = {{"PSU1", bmc::Health::critical}};
  raised.note(reading, began, began + 180s);
  CHECK(raised.worst(began + 179s) == bmc::Health::critical);
  CHECK(raised.worst(began + 180s) == bmc::Health::unknown);
  raised.wait(began + 60s);
  CHECK(raised.worst(began + 1h) == bmc::Health::critical);
  raised.goOn(began + 1h);
  CHECK(raised.worst(began + 1h + 119s) == bmc::Health::critical);
  CHECK(raised.worst(began + 1h + 120s) == bmc::Health::unknown);
  reading.raised = bmc::Health::unknown;
  reading.raisedBy = {{"PSU1", bmc::Health::unknown}};  // for once
  raised.note(reading, began + 1h, began + 1h + 180s);
  CHECK(raised.worst(began + 1h + 119s) == bmc::Health::critical);
  CHECK(raised.worst(began + 1h + 120s) == bmc::Health::unknown);
  raised.wait(began + 2h);  // it was not believed any more by then
  CHECK(raised.worst(began + 2h) == bmc::Health::unknown);
}
