// Who has a turn at a BMC and has not begun, or takes minutes, makes room for an operator and fencing.
#include "bmc/bmc_pool.hpp"
#include "bmc/each_capability.hpp"
#include "net/loopback.hpp"
#include "tests/bmc/fake_ipmitool.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Lane;

namespace {

struct PacedBmc : Loop {
  explicit PacedBmc(bmc::GovernorOptions options)
      : traffic(
            std::make_shared<bmc::Traffic>(runtime, options, "bmc", std::make_shared<bmc::RefusedLogins>(runtime))) {}
  ~PacedBmc() { run(group.close()); }

  void ask(Lane lane, const std::string& name, base::Duration length = 1s) {
    group.spawn(name, exchange(*this, lane, name, length));
  }
  static base::Task<void> exchange(PacedBmc& bench, Lane lane, std::string name, base::Duration length) {
    static_cast<void>(co_await bench.traffic->enter(lane));
    bench.order.push_back(fmt::format("{} at {} s", name, (bench.clock.now() - bench.began) / 1s));
    co_await bench.clock.sleepFor(length);
    bench.traffic->leave(lane);
  }
  // The turn is the next one's when the power-off comes, who has not heard of it yet.
  static base::Task<void> pollAndPowerOff(PacedBmc& bench) {
    static_cast<void>(co_await bench.traffic->enter(Lane::polling));
    co_await bench.clock.sleepFor(1s);
    bench.traffic->leave(Lane::polling);
    co_await exchange(bench, Lane::fencing, "power-off", 1s);
  }

  // What a command does is looked at again and again.
  static base::Task<void> watch(PacedBmc& bench, Lane lane, base::Duration length) {
    for (const auto end = bench.clock.now() + length; bench.clock.now() < end;) {
      static_cast<void>(co_await bench.traffic->enter(lane));
      bench.traffic->leave(lane);
      ++bench.looks;
      co_await bench.clock.sleepFor(5s);
    }
  }

  base::MonoTime began = clock.now();
  std::shared_ptr<bmc::Traffic> traffic;
  base::TaskGroup group{runtime.executor, runtime.log};
  std::vector<std::string> order;
  int looks = 0;
};

// Its sensors take minutes.
class SlowSensors final : public base::ProcessRunner {
 public:
  SlowSensors(base::Clock& clock, FakeRedfish& bmc) : clock_(clock), bmc_(bmc) {}
  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    const bool isList = std::ranges::find(spec.argv, "elist") != spec.argv.end();
    if (isList) {
      ++lists;
      co_await clock_.sleepFor(200s);
    }
    auto result = answerOfIpmitool(bmc_, spec);
    co_return result;
  }
  int lists = 0;

 private:
  base::Clock& clock_;
  FakeRedfish& bmc_;
};

}  // namespace

TEST_CASE("a turn that waits for its interval is an urgent request's that comes meanwhile") {
  PacedBmc bench({.minInterval = 60s});
  const auto urgent = GENERATE(Lane::operatorCommand, Lane::fencing);
  bench.ask(Lane::polling, "poll");
  bench.clock.advance(1s);
  bench.ask(Lane::background, "sensors", 300s);
  bench.ask(Lane::background, "log");
  bench.clock.advance(10s);
  bench.ask(urgent, "power-off");
  bench.clock.advance(600s);
  CHECK(bench.order ==
        std::vector<std::string>{"poll at 0 s", "power-off at 61 s", "sensors at 122 s", "log at 482 s"});
}

TEST_CASE("a command that is looked at keeps no poll of other hosts out, and no list passes it") {
  PacedBmc bench({.minInterval = 10s});
  bench.group.spawn("watch", PacedBmc::watch(bench, Lane::operatorCommand, 300s));
  bench.clock.advance(1s);
  bench.ask(Lane::background, "sensors", 200s);
  bench.ask(Lane::polling, "poll", 0s);
  bench.ask(Lane::polling, "another poll", 0s);
  bench.clock.advance(250s);
  CHECK(bench.order == std::vector<std::string>{"poll at 40 s", "another poll at 80 s"});
  CHECK(bench.looks == 24);  // all other turns are the command's
  bench.clock.advance(600s);
  REQUIRE(bench.order.size() == 3);
  CHECK_THAT(bench.order.back(), Catch::StartsWith("sensors"));
}

TEST_CASE("fencing waits for no poll, however often one has given way") {
  PacedBmc bench({.minInterval = 10s});
  bench.group.spawn("watch", PacedBmc::watch(bench, Lane::operatorCommand, 300s));
  bench.clock.advance(1s);
  bench.ask(Lane::polling, "poll", 0s);
  bench.clock.advance(24s);  // the poll has given way twice
  bench.ask(Lane::fencing, "power-off", 0s);
  bench.clock.advance(60s);
  REQUIRE(bench.order.size() == 2);
  CHECK(bench.order.front() == "power-off at 30 s");
}

TEST_CASE("a turn that was given to a reading and not begun is an urgent request's that comes meanwhile") {
  PacedBmc bench({});
  bench.group.spawn("poll", PacedBmc::pollAndPowerOff(bench));
  bench.clock.settle();
  bench.ask(Lane::background, "sensors", 300s);
  bench.clock.advance(400s);
  CHECK(bench.order == std::vector<std::string>{"power-off at 1 s", "sensors at 2 s"});
}

TEST_CASE("who would end early and says so after an urgent request has come is asked at once") {
  PacedBmc bench({});
  static_cast<void>(bench.run(bench.traffic->enter(Lane::background)));
  int asked = 0;
  const auto before = bench.traffic->whenWanted([&] { ++asked; });
  CHECK(asked == 0);
  bench.ask(Lane::fencing, "power-off");
  bench.clock.settle();
  CHECK(asked == 1);
  const auto after = bench.traffic->whenWanted([&] { ++asked; });
  CHECK(asked == 2);
  bench.traffic->leave(Lane::background);
  bench.clock.settle();
  REQUIRE(bench.order.size() == 1);
  const auto alone = bench.traffic->whenWanted([&] { ++asked; });
  CHECK(asked == 2);  // it waits for nothing any more
}

TEST_CASE("a power-off waits for no list of sensors that would begin after it, whatever the pace of a BMC") {
  Loop bench;
  FakeRedfish host;
  SlowSensors ipmitool(bench.clock, host);
  net::Loopback http(bench.runtime);
  bmc::BmcPool pool(bench.runtime, {http, ipmitool}, {.minInterval = 5s});
  const auto driver =
      pool.open({.address = bmc::parseAddress("ipmi://10.0.0.1"), .login = {"admin", base::Secret(host.password)}});
  static_cast<void>(bench.run(driver->power->readPower(Lane::polling)));
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  const auto sensors = [](bmc::Driver& of) -> base::Task<void> {
    static_cast<void>(co_await of.sensors->readSensors(Lane::background));
  };
  group.spawn("sensors", sensors(*driver));
  bench.clock.advance(1s);
  const auto began = bench.clock.now();
  bench.run(driver->power->requestPower(Lane::fencing, bmc::PowerAction::hardOff, {}));
  CHECK(bench.clock.now() - began < 10s);
  CHECK(host.powerState == "Off");
  CHECK(ipmitool.lists == 0);
  bench.clock.advance(300s);
  CHECK(ipmitool.lists == 1);  // then
  bench.run(group.close());
  bench.run(http.close());
}
