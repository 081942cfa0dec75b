#include "bmc/governor.hpp"
#include "base/sync.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Governor;
using bmc::Lane;

namespace {

struct GovernorBench : tests::Loop {
  explicit GovernorBench(bmc::GovernorOptions options = {})
      : governor(runtime, options), group(runtime.executor, runtime.log) {}
  ~GovernorBench() { run(group.close()); }

  // A request that notes when it ran and takes `length`.
  void ask(Lane lane, std::string name, base::Duration length = 1s) {
    group.spawn(name, request(*this, lane, name, length));
  }
  static base::Task<void> request(GovernorBench& bench, Lane lane, std::string name, base::Duration length) {
    co_await bench.governor.run<void>(lane, [&bench, name, length] { return work(bench, name, length); });
  }
  static base::Task<void> work(GovernorBench& bench, std::string name, base::Duration length) {
    ++bench.inside;
    bench.most = std::max(bench.most, bench.inside);
    bench.order.push_back(name);
    co_await bench.clock.sleepFor(length);
    --bench.inside;
  }
  Error::Code failWith(Error::Code code, Lane lane = Lane::reconcile) {
    try {
      run(governor.run<int>(lane, [code]() -> base::Task<int> {
        throw Error(code, "scripted");
        co_return 0;
      }));
    } catch (const Error& error) {
      return error.code();
    }
    throw std::logic_error("the request did not fail");
  }

  Governor governor;
  base::TaskGroup group;
  std::vector<std::string> order;
  int inside = 0, most = 0;
};

}  // namespace

TEST_CASE("a BMC gets one request at a time, the most urgent first") {
  GovernorBench bench;
  bench.ask(Lane::polling, "poll 1");
  bench.clock.settle();
  bench.ask(Lane::polling, "poll 2");
  bench.ask(Lane::reconcile, "reconcile");
  bench.ask(Lane::operatorCommand, "operator");
  bench.ask(Lane::fencing, "fencing");
  bench.clock.advance(10s);
  CHECK(bench.order == std::vector<std::string>{"poll 1", "fencing", "operator", "reconcile", "poll 2"});
  CHECK(bench.most == 1);
}

TEST_CASE("requests keep the interval that a BMC needs between them") {
  GovernorBench bench({.minInterval = 5s});
  bench.ask(Lane::polling, "first");
  bench.ask(Lane::polling, "second");
  bench.clock.advance(5s);
  CHECK(bench.order.size() == 1);
  bench.clock.advance(1s);
  CHECK(bench.order.size() == 2);
}

TEST_CASE("a BMC that does not answer is left alone by pollers, not by operators") {
  GovernorBench bench;
  for (int i = 0; i < 3; ++i) CHECK(bench.failWith(Error::Code::unreachable) == Error::Code::unreachable);
  REQUIRE(bench.governor.circuitOpen());
  bench.ask(Lane::operatorCommand, "operator", 0s);
  bench.clock.settle();
  CHECK(bench.order == std::vector<std::string>{"operator"});
  CHECK_FALSE(bench.governor.circuitOpen());  // it answered: everybody may talk again
}

TEST_CASE("a refused password is not tried again before it changes or the lock-out has passed") {
  GovernorBench bench;
  CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
  CHECK(bench.failWith(Error::Code::refused, Lane::operatorCommand) == Error::Code::lockedOut);
  SECTION("it changes") {
    bench.governor.useLogin("admin", base::Secret("another"));
    CHECK_FALSE(bench.governor.lockedOut());
  }
  SECTION("a minute passes, then five") {
    bench.clock.advance(61s);
    CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
    bench.clock.advance(61s);
    CHECK(bench.governor.lockedOut());
    bench.clock.advance(240s);
    CHECK_FALSE(bench.governor.lockedOut());
  }
}

TEST_CASE("a session is closed while a password is refused, which says nothing of the password") {
  GovernorBench bench;
  CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
  bench.clock.advance(61s);
  CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
  bench.ask(Lane::logout, "logout", 0s);
  bench.clock.settle();
  CHECK(bench.order == std::vector<std::string>{"logout"});
  CHECK(bench.governor.lockedOut());
  bench.clock.advance(301s);
  CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
  bench.clock.advance(700s);
  CHECK(bench.governor.lockedOut());  // the third refusal in a row, not the first
}

TEST_CASE("a full lane refuses instead of growing") {
  GovernorBench bench({.queueLimit = 2});
  for (int i = 0; i < 3; ++i) bench.ask(Lane::polling, "poll");  // one runs, two wait
  bench.clock.settle();
  CHECK(bench.failWith(Error::Code::refused, Lane::polling) == Error::Code::busy);
}

TEST_CASE("a waiter that is cancelled passes its turn on") {
  GovernorBench bench;
  bench.ask(Lane::polling, "runs");
  bench.clock.settle();
  {
    base::TaskGroup impatient(bench.runtime.executor, bench.runtime.log);
    impatient.spawn("gives up", GovernorBench::request(bench, Lane::fencing, "gives up", 1s));
    bench.clock.settle();
    bench.ask(Lane::polling, "next");
    bench.clock.settle();
    boost::asio::co_spawn(bench.io, impatient.close(), [](std::exception_ptr) {});
    bench.clock.settle();
    CHECK(impatient.running() == 0);
  }
  bench.clock.advance(3s);
  CHECK(bench.order == std::vector<std::string>{"runs", "next"});
}

namespace {

// Two hosts behind one BMC.
struct Neighbours : tests::Loop {
  Neighbours() : pool(runtime, {}) {
    one.moveTo(pool.of(bmc::parseAddress("redfish://bmc.example/redfish/v1/Systems/1")));
    two.moveTo(pool.of(bmc::parseAddress("redfish-virtualmedia://bmc.example/redfish/v1/Systems/2")));
  }
  Error::Code askFor(Governor& governor, std::optional<Error::Code> failure = {}) {
    try {
      run(governor.run<int>(Lane::polling, [failure]() -> base::Task<int> {
        if (failure) throw Error(*failure, "scripted");
        co_return 0;
      }));
    } catch (const Error& error) {
      return error.code();
    }
    return Error::Code::protocol;  // stands for none
  }

  bmc::TrafficPool pool;
  Governor one{runtime, {}}, two{runtime, {}};
};

}  // namespace

TEST_CASE("hosts behind one BMC take turns: it gets one request at a time") {
  Neighbours bench;
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  int inside = 0, most = 0, done = 0;
  const auto work = [&](Governor& governor) -> base::Task<void> {
    co_await governor.run<void>(Lane::polling, [&]() -> base::Task<void> {
      most = std::max(most, ++inside);
      co_await bench.clock.sleepFor(1s);
      --inside;
      ++done;
    });
  };
  group.spawn("one", work(bench.one));
  group.spawn("two", work(bench.two));
  bench.clock.advance(3s);
  CHECK(most == 1);
  CHECK(done == 2);
  bench.run(group.close());
}

TEST_CASE("whether a BMC answers concerns all its hosts") {
  Neighbours bench;
  for (int i = 0; i < 3; ++i) bench.askFor(bench.one, Error::Code::unreachable);
  CHECK(bench.two.circuitOpen());
}

TEST_CASE("a password that a BMC refused is tried by none of its hosts; that of another account is") {
  Neighbours bench;
  bench.one.useLogin("admin", base::Secret("s3cret"));
  bench.askFor(bench.one, Error::Code::authenticationFailed);
  CHECK(bench.one.lockedOut());
  CHECK_FALSE(bench.two.lockedOut());  // no account is the same as none
  bench.two.useLogin("operator", base::Secret("s3cret"));
  CHECK_FALSE(bench.two.lockedOut());
  bench.two.useLogin("admin", base::Secret("other"));
  CHECK_FALSE(bench.two.lockedOut());
  bench.askFor(bench.two);  // which is taken, and says nothing of the one that was refused
  CHECK(bench.one.lockedOut());
  bench.two.useLogin("admin", base::Secret("s3cret"));
  CHECK(bench.two.lockedOut());
  bench.two.moveTo(bench.pool.of(bmc::parseAddress("redfish://elsewhere.example/redfish/v1/Systems/1")));
  CHECK_FALSE(bench.two.lockedOut());
}

TEST_CASE("a refused password holds for a host that is made anew") {
  Neighbours bench;
  bench.one.useLogin("admin", base::Secret("s3cret"));
  bench.askFor(bench.one, Error::Code::authenticationFailed);
  const auto elsewhere = bench.pool.of(bmc::parseAddress("redfish://elsewhere.example/redfish/v1/Systems/1"));
  bench.one.moveTo(elsewhere);
  bench.two.moveTo(elsewhere);
  Governor later(bench.pool.of(bmc::parseAddress("redfish://bmc.example/redfish/v1/Systems/1")));
  later.useLogin("admin", base::Secret("s3cret"));
  CHECK(later.lockedOut());
}

TEST_CASE("a forced power-off tries a refused password all the same, seldom") {
  GovernorBench bench;
  CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
  CHECK(bench.failWith(Error::Code::authenticationFailed, Lane::fencing) == Error::Code::authenticationFailed);
  CHECK(bench.failWith(Error::Code::authenticationFailed, Lane::fencing) == Error::Code::lockedOut);
  bench.clock.advance(61s);
  bench.ask(Lane::fencing, "fencing", 0s);
  bench.clock.settle();
  CHECK(bench.order == std::vector<std::string>{"fencing"});
  CHECK_FALSE(bench.governor.lockedOut());  // it was taken
}

TEST_CASE(
    "a host whose readings end in errors is asked less often, whatever the error; a command is not kept waiting") {
  const auto code = GENERATE(Error::Code::busy, Error::Code::tls, Error::Code::protocol, Error::Code::unsupported);
  GovernorBench bench;
  for (int i = 0; i < 3; ++i) CHECK(bench.failWith(code, Lane::polling) == code);
  bench.ask(Lane::polling, "poll");
  bench.clock.settle();
  CHECK(bench.order.empty());
  CHECK(bench.failWith(Error::Code::refused, Lane::operatorCommand) == Error::Code::refused);
  bench.clock.advance(7s);
  CHECK(bench.failWith(code, Lane::polling) == code);  // five seconds later, give or take a quarter
  bench.clock.advance(7s);
  CHECK(bench.governor.isSlowed());  // then ten
  bench.clock.advance(6s);
  bench.ask(Lane::polling, "poll");
  bench.clock.advance(1s);
  CHECK(bench.order == std::vector<std::string>{"poll"});
  CHECK(bench.failWith(code, Lane::polling) == code);
  CHECK_FALSE(bench.governor.isSlowed());  // it counts anew
}

TEST_CASE("a neighbour that waits for its turn does not try the password that was refused meanwhile") {
  Neighbours bench;
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  int tried = 0;
  const auto work = [&](Governor& governor) -> base::Task<void> {
    try {
      co_await governor.run<void>(Lane::polling, [&]() -> base::Task<void> {
        ++tried;
        co_await bench.clock.sleepFor(1s);
        throw Error(Error::Code::authenticationFailed, "scripted");
      });
    } catch (const Error&) {
    }
  };
  bench.one.useLogin("admin", base::Secret("s3cret"));
  bench.two.useLogin("admin", base::Secret("s3cret"));
  group.spawn("one", work(bench.one));
  group.spawn("two", work(bench.two));
  bench.clock.advance(5s);
  CHECK(tried == 1);
  bench.run(group.close());
}

TEST_CASE("a refusal counts for the password that was sent, whatever was granted meanwhile") {
  GovernorBench bench;
  bench.governor.useLogin("admin", base::Secret("old"));
  bench.ask(Lane::polling, "holds the turn", 2s);
  bench.clock.settle();
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  group.spawn("refused", [](GovernorBench& of) -> base::Task<void> {
    try {
      co_await of.governor.run<void>(Lane::polling, []() -> base::Task<void> {
        throw Error(Error::Code::authenticationFailed, "scripted");
        co_return;
      });
    } catch (const Error&) {
    }
  }(bench));
  bench.clock.settle();
  bench.governor.useLogin("admin", base::Secret("new"));
  bench.clock.advance(3s);
  CHECK_FALSE(bench.governor.lockedOut());
  bench.governor.useLogin("admin", base::Secret("old"));
  CHECK(bench.governor.lockedOut());
  bench.run(group.close());
}

TEST_CASE("new access is tried at once; a password that was refused before is not") {
  GovernorBench bench;
  for (int i = 0; i < 3; ++i) bench.failWith(Error::Code::unreachable);
  bench.governor.useLogin("admin", base::Secret("new"));
  bench.governor.beginAfresh();
  CHECK_FALSE(bench.governor.circuitOpen());
  for (int i = 0; i < 3; ++i) bench.failWith(Error::Code::busy, Lane::polling);
  REQUIRE(bench.governor.isSlowed());
  bench.governor.beginAfresh();
  CHECK_FALSE(bench.governor.isSlowed());
  bench.failWith(Error::Code::authenticationFailed);
  bench.governor.beginAfresh();
  CHECK(bench.governor.lockedOut());
}

TEST_CASE("a program's place is free again however its request ended") {
  tests::Loop bench;
  bmc::TrafficPool pool(bench.runtime, {});
  const auto of = [&](int i) { return pool.of(bmc::parseAddress(fmt::format("ipmi://10.0.0.{}", i))); };
  std::vector<std::unique_ptr<Governor>> governors;
  int done = 0;
  const auto ask = [&](Governor& governor, base::Duration length) -> base::Task<void> {
    co_await governor.run<void>(Lane::polling, [&]() -> base::Task<void> {
      co_await bench.clock.sleepFor(length);
      ++done;
    });
  };
  for (int i = 0; i < 100; ++i) governors.push_back(std::make_unique<Governor>(of(i)));
  {
    base::TaskGroup cancelled(bench.runtime.executor, bench.runtime.log);
    for (auto& governor : governors) {  // two at each BMC: some wait for a program, some for the BMC
      cancelled.spawn("poll", ask(*governor, 1h));
      cancelled.spawn("poll", ask(*governor, 1h));
    }
    bench.clock.settle();
    bench.run(cancelled.close());
  }
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  for (auto& governor : governors) group.spawn("poll", ask(*governor, 1s));
  bench.clock.advance(5s);  // a hundred in rounds of 48
  CHECK(done == 100);
  bench.run(group.close());
}

TEST_CASE("so many programs run at a time, and a command finds room among readings") {
  tests::Loop bench;
  bmc::TrafficPool pool(bench.runtime, {});
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  std::vector<std::unique_ptr<Governor>> governors;
  int polls = 0, commands = 0;
  const auto ask = [&](Governor& governor, Lane lane, int& running) -> base::Task<void> {
    co_await governor.run<void>(lane, [&]() -> base::Task<void> {
      ++running;
      co_await bench.clock.sleepFor(1h);
    });
  };
  for (int i = 0; i < 200; ++i) {
    governors.push_back(std::make_unique<Governor>(pool.of(bmc::parseAddress(fmt::format("ipmi://10.0.0.{}", i)))));
    group.spawn("poll", ask(*governors.back(), Lane::polling, polls));
  }
  bench.clock.settle();
  CHECK(polls == 48);
  group.spawn("command", ask(*governors.at(199), Lane::fencing, commands));  // its poll waits for a program
  bench.clock.settle();
  CHECK(commands == 1);
  Governor redfish(pool.of(bmc::parseAddress("redfish://10.0.0.1/redfish/v1/Systems/1")));
  group.spawn("another protocol", ask(redfish, Lane::polling, commands));
  bench.clock.settle();
  CHECK(commands == 2);
  bench.run(group.close());
}

TEST_CASE("a BMC is one by protocol, host and port, whatever its hosts are called") {
  Neighbours bench;
  const auto of = [&](const char* text) { return bench.pool.of(bmc::parseAddress(text)); };
  const auto here = of("redfish://10.0.0.1/redfish/v1/Systems/1");
  CHECK(of("idrac-virtualmedia://10.0.0.1/redfish/v1/Systems/2") == here);
  CHECK(of("redfish://10.0.0.1:8443/redfish/v1/Systems/1") != here);
  CHECK(of("ipmi://10.0.0.1") != here);
  const auto ipmi = of("ipmi://10.0.0.1");
  CHECK(of("10.0.0.1:623") == ipmi);
}
