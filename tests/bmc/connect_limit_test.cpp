// How many connections are opened at a time for routine readings.
#include "bmc/connect_limit.hpp"

#include "bmc/governor.hpp"
#include "tests/bmc/redfish_bench.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::ConnectLimit;
using bmc::Governor;
using bmc::Lane;

namespace {

struct ManyBmcs : tests::Loop {
  explicit ManyBmcs(bmc::GovernorOptions options = {}) : pool(runtime, options), group(runtime.executor, runtime.log) {}
  ~ManyBmcs() { run(group.close()); }

  Governor& of(const std::string& address) {
    return *governors.emplace_back(
        std::make_unique<Governor>(pool.of(bmc::parseAddress(address)), "admin", base::Secret("s3cret")));
  }
  Governor& next() { return of(fmt::format("redfish://bmc-{}/redfish/v1/Systems/1", governors.size())); }

  // Its connection stands after `connecting`, its answer is there after `answering` more.
  void ask(Governor& governor, Lane lane, base::Duration connecting, int& begun, base::Duration answering = {}) {
    group.spawn("ask", exchange(governor, lane, connecting, answering, begun));
  }
  base::Task<void> exchange(Governor& governor, Lane lane, base::Duration connecting, base::Duration answering,
                            int& begun) {
    auto turn = co_await governor.enter(lane, bmc::Credentials::none);
    ++begun;
    co_await clock.sleepFor(connecting);
    turn.connected();
    co_await clock.sleepFor(answering);
  }

  bmc::TrafficPool pool;
  std::vector<std::unique_ptr<Governor>> governors;
  base::TaskGroup group;
};

constexpr int mostPolls = ConnectLimit::mostPolls, mostInBackground = ConnectLimit::mostInBackground;

}  // namespace

TEST_CASE("so many connections are opened at a time for routine readings, and nothing else waits for them") {
  ManyBmcs bench;
  int polls = 0, inBackground = 0, others = 0;
  for (int i = 0; i < 1000; ++i) bench.ask(bench.next(), Lane::background, 100ms, inBackground);
  bench.clock.settle();
  CHECK(inBackground == mostInBackground);
  for (int i = 0; i < 1000; ++i) bench.ask(bench.next(), Lane::polling, 100ms, polls);
  bench.clock.settle();
  CHECK(polls == mostPolls);
  for (const auto lane : {Lane::fencing, Lane::operatorCommand, Lane::reconcile})
    bench.ask(bench.next(), lane, 1h, others);
  bench.ask(*bench.governors.at(1999), Lane::fencing, 1h, others);  // whose poll waits
  bench.ask(bench.of("ipmi://10.0.0.1"), Lane::polling, 1h, others);
  bench.clock.settle();
  CHECK(others == 5);
  bench.clock.advance(100ms);
  CHECK(polls == 2 * mostPolls);
  CHECK(inBackground == 2 * mostInBackground);
}

TEST_CASE("an answer that takes its time keeps nobody waiting: the connection stands") {
  ManyBmcs bench;
  int slow = 0;
  for (int i = 0; i < 10 * mostPolls; ++i) bench.ask(bench.next(), Lane::polling, 0s, slow, 1h);
  bench.clock.settle();
  CHECK(slow == 10 * mostPolls);
}

TEST_CASE("BMCs that cannot be reached keep the others waiting for a quarter of a second, not for their time-out") {
  STATIC_REQUIRE(ConnectLimit::countsFor == 250ms);
  ManyBmcs bench;
  int dead = 0, others = 0;
  for (int i = 0; i < mostPolls; ++i) bench.ask(bench.next(), Lane::polling, 1h, dead);
  for (int i = 0; i < 10; ++i) bench.ask(bench.next(), Lane::polling, 100ms, others);
  bench.clock.advance(249ms);
  CHECK(others == 0);
  bench.clock.advance(1ms);
  CHECK(others == 10);
}

TEST_CASE("who waits for its turn at a BMC, or for the pause there, takes no place") {
  ManyBmcs bench({.minInterval = 1min});
  int first = 0, again = 0, others = 0;
  for (int i = 0; i < mostPolls; ++i) bench.ask(bench.next(), Lane::polling, 0s, first);
  bench.clock.settle();
  REQUIRE(first == mostPolls);
  for (int i = 0; i < mostPolls; ++i)
    bench.ask(*bench.governors.at(static_cast<std::size_t>(i)), Lane::polling, 0s, again);
  bench.ask(bench.next(), Lane::polling, 0s, others);
  bench.clock.settle();
  CHECK(again == 0);
  CHECK(others == 1);
  bench.clock.advance(1min);
  CHECK(again == mostPolls);
}

TEST_CASE("a reading that is cancelled while it waits to connect takes no place and no turn") {
  ManyBmcs bench;
  int dead = 0, never = 0, others = 0;
  for (int i = 0; i < mostPolls; ++i) bench.ask(bench.next(), Lane::polling, 200ms, dead);
  bench.clock.settle();
  {
    base::TaskGroup cancelled(bench.runtime.executor, bench.runtime.log);
    for (int i = 0; i < 500; ++i) cancelled.spawn("ask", bench.exchange(bench.next(), Lane::polling, 1h, 0s, never));
    bench.clock.settle();
    bench.run(cancelled.close());
  }
  for (const auto& governor : bench.governors) bench.ask(*governor, Lane::polling, 0s, others);
  bench.clock.advance(1s);
  CHECK(never == 0);
  CHECK(others == mostPolls + 500);
}

TEST_CASE("a reading that is cancelled as its turn comes passes the turn on") {
  ManyBmcs bench;
  int first = 0, never = 0, last = 0;
  auto& governor = bench.next();
  bench.ask(governor, Lane::polling, 1s, first);
  bench.clock.settle();
  base::TaskGroup cancelled(bench.runtime.executor, bench.runtime.log);
  const auto shieldedTurn = [&]() -> base::Task<void> {
    // Cancelled before it enters: where there is nothing to wait for, it is told only by the next wait.
    co_await base::shielded(bench.clock.sleepFor(2s));
    co_await bench.exchange(governor, Lane::polling, 1h, 0s, never);
  };
  cancelled.spawn("cancelled", shieldedTurn());
  bench.clock.settle();
  boost::asio::co_spawn(bench.io, cancelled.close(), [](std::exception_ptr) {});
  bench.clock.advance(3s);
  bench.ask(governor, Lane::polling, 0s, last);
  bench.clock.advance(1s);
  CHECK(never == 0);
  CHECK(last == 1);
}

TEST_CASE("the connection to a Redfish service gives its place back once it stands, not when the answer is there") {
  tests::RedfishBench bench;
  constexpr int all = 2 * mostPolls;
  int asked = 0;
  bench.fake.before = [&](const net::ServerRequest&) -> base::Task<void> {
    ++asked;
    co_await bench.clock.sleepFor(5s);
  };
  std::vector<std::unique_ptr<bmc::Driver>> drivers;
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  const auto read = [](bmc::Driver& driver) -> base::Task<void> {
    static_cast<void>(co_await driver.power->readPower(Lane::polling));
  };
  for (int i = 0; i < all; ++i) {
    const auto host = fmt::format("bmc-{}", i);
    bench.transport.serve(fmt::format("https://{}:443", host), bench.fake);
    drivers.push_back(bench.open("s3cret", "redfish://" + host));
    group.spawn("read", read(*drivers.back()));
  }
  bench.clock.settle();
  CHECK(asked == all);
  bench.run(group.close());
}
