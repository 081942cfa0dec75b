#include "bmc/governor.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Credentials;
using bmc::Error;
using bmc::Governor;
using bmc::Lane;

namespace {

struct GovernorBench : tests::Loop {
  explicit GovernorBench(bmc::GovernorOptions options = {})
      : traffic(std::make_shared<bmc::Traffic>(runtime, options, "bmc", std::make_shared<bmc::RefusedLogins>(runtime))),
        governor(traffic, "admin", base::Secret("s3cret")),
        group(runtime.executor, runtime.log) {}
  ~GovernorBench() { run(group.close()); }

  // An exchange that notes when it ran and takes `length`.
  void ask(Lane lane, std::string name, base::Duration length = 1s, Credentials credentials = Credentials::none) {
    group.spawn(name, exchange(*this, lane, name, length, credentials));
  }
  static base::Task<void> exchange(GovernorBench& bench, Lane lane, std::string name, base::Duration length,
                                   Credentials credentials = Credentials::none) {
    auto turn = co_await bench.governor.enter(lane, credentials);
    bench.most = std::max(bench.most, ++bench.inside);
    bench.order.push_back(name);
    co_await bench.clock.sleepFor(length);
    --bench.inside;
    turn.answered();
    if (credentials == Credentials::password) bench.governor.passwordTaken();
  }
  static base::Task<void> end(Governor& governor, Lane lane, Credentials credentials, Error::Code code) {
    auto turn = co_await governor.enter(lane, credentials);
    turn.failed(code);
    if (code == Error::Code::authenticationFailed) governor.passwordRefused();
    throw Error(code, "scripted");
  }
  // How an exchange ends that the BMC would end with `code`.
  Error::Code failWith(Error::Code code, Lane lane = Lane::reconcile, Credentials credentials = Credentials::password) {
    try {
      run(end(governor, lane, credentials, code));
    } catch (const Error& error) {
      isOfGovernor = error.origin() == Error::Origin::governor;
      return error.code();
    }
    throw std::logic_error("the exchange did not fail");
  }

  std::shared_ptr<bmc::Traffic> traffic;
  Governor governor;
  base::TaskGroup group;
  std::vector<std::string> order;
  int inside = 0, most = 0;
  bool isOfGovernor = false;  // the last failure
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

TEST_CASE("nothing less urgent comes between the exchanges of a power-off; polls and an inventory alternate") {
  GovernorBench bench;
  const auto [lane, order] = GENERATE(table<Lane, std::vector<std::string>>({
      {Lane::fencing, {"holds the turn", "one", "two", "poll 1", "poll 2"}},
      {Lane::reconcile, {"holds the turn", "one", "poll 1", "two", "poll 2"}},
  }));
  const auto both = [&, lane = lane]() -> base::Task<void> {
    co_await GovernorBench::exchange(bench, lane, "one", 1s);
    co_await GovernorBench::exchange(bench, lane, "two", 1s);
  };
  bench.ask(Lane::polling, "holds the turn");
  bench.clock.settle();
  bench.ask(Lane::polling, "poll 1");
  bench.ask(Lane::polling, "poll 2");
  bench.group.spawn("both", both());
  bench.clock.advance(10s);
  CHECK(bench.order == order);
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
  const auto silence = GENERATE(Error::Code::unreachable, Error::Code::timeout);
  for (int i = 0; i < 3; ++i) CHECK(bench.failWith(silence) == silence);
  CHECK(bench.failWith(Error::Code::busy, Lane::polling) == Error::Code::unreachable);
  CHECK(bench.isOfGovernor);
  bench.clock.advance(6s);
  CHECK(bench.failWith(silence, Lane::polling) == silence);
  bench.clock.advance(6s);
  CHECK(bench.failWith(silence, Lane::polling) == Error::Code::unreachable);  // twice as long now
  REQUIRE(bench.governor.circuitOpen());
  bench.ask(Lane::operatorCommand, "operator", 0s);
  bench.clock.settle();
  CHECK(bench.order == std::vector<std::string>{"operator"});
  CHECK_FALSE(bench.governor.circuitOpen());  // it answered: everybody may talk again
}

TEST_CASE("a refused password is not tried again before it changes or the lock-out has passed") {
  GovernorBench bench;
  CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
  CHECK_FALSE(bench.isOfGovernor);
  CHECK(bench.failWith(Error::Code::refused, Lane::operatorCommand) == Error::Code::lockedOut);
  CHECK(bench.isOfGovernor);
  SECTION("it changes") { CHECK_FALSE(Governor(bench.traffic, "admin", base::Secret("another")).lockedOut()); }
  SECTION("a minute passes, then five") {
    bench.clock.advance(61s);
    CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
    bench.clock.advance(61s);
    CHECK(bench.governor.lockedOut());
    bench.clock.advance(240s);
    CHECK_FALSE(bench.governor.lockedOut());
  }
}

TEST_CASE("a session stays in use while the password is refused, and says nothing of it") {
  GovernorBench bench;
  bench.failWith(Error::Code::authenticationFailed);
  bench.clock.advance(61s);
  bench.failWith(Error::Code::authenticationFailed);
  bench.ask(Lane::polling, "with the session", 0s);
  bench.clock.settle();
  CHECK(bench.order == std::vector<std::string>{"with the session"});
  CHECK(bench.governor.lockedOut());
  bench.clock.advance(301s);
  bench.failWith(Error::Code::authenticationFailed);
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
    impatient.spawn("gives up", GovernorBench::exchange(bench, Lane::fencing, "gives up", 1s));
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

std::unique_ptr<Governor> ipmiGovernor(bmc::TrafficPool& pool, int number) {
  return std::make_unique<Governor>(pool.of(bmc::parseAddress(fmt::format("ipmi://10.0.0.{}", number))), "admin",
                                    base::Secret("s3cret"));
}

// An exchange that is counted when it begins, and takes `length`.
base::Task<void> hold(base::Clock& clock, Governor& governor, Lane lane, base::Duration length, int& begun) {
  const auto turn = co_await governor.enter(lane, Credentials::password);
  ++begun;
  co_await clock.sleepFor(length);
}

// Two accounts of one BMC, or one that two hosts have.
struct Neighbours : tests::Loop {
  Neighbours() : pool(runtime, {}) {}

  std::shared_ptr<bmc::Traffic> of(const char* address) { return pool.of(bmc::parseAddress(address)); }
  Governor account(const char* user = "admin", const char* password = "s3cret", const char* host = "bmc.example") {
    return {of(fmt::format("redfish://{}/redfish/v1/Systems/1", host).c_str()), user, base::Secret(password)};
  }
  void refuse(Governor& governor) { fail(governor, Error::Code::authenticationFailed); }
  void fail(Governor& governor, Error::Code code) {
    CHECK_THROWS_AS(run(GovernorBench::end(governor, Lane::polling, Credentials::password, code)), Error);
  }

  bmc::TrafficPool pool;
};

}  // namespace

TEST_CASE("accounts of one BMC take turns: it gets one request at a time") {
  Neighbours bench;
  auto one = bench.account(), two = bench.account("operator");
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  int inside = 0, most = 0, done = 0;
  const auto work = [&](Governor& governor) -> base::Task<void> {
    const auto turn = co_await governor.enter(Lane::polling, Credentials::none);
    most = std::max(most, ++inside);
    co_await bench.clock.sleepFor(1s);
    --inside;
    ++done;
  };
  group.spawn("one", work(one));
  group.spawn("two", work(two));
  bench.clock.advance(3s);
  CHECK(most == 1);
  CHECK(done == 2);
  bench.run(group.close());
}

TEST_CASE("whether a BMC answers concerns all its accounts") {
  Neighbours bench;
  auto one = bench.account();
  for (int i = 0; i < 3; ++i) bench.fail(one, Error::Code::unreachable);
  CHECK(bench.account("operator").circuitOpen());
}

TEST_CASE("a password that a BMC refused is held back there and for that account, and nowhere else") {
  Neighbours bench;
  auto one = bench.account();
  bench.refuse(one);
  CHECK(one.lockedOut());
  CHECK(bench.account().lockedOut());
  CHECK_FALSE(bench.account("operator").lockedOut());
  auto other = bench.account("admin", "other");
  CHECK_FALSE(other.lockedOut());
  other.passwordTaken();  // which says nothing of the one that was refused
  CHECK(one.lockedOut());
  CHECK_FALSE(bench.account("admin", "s3cret", "elsewhere.example").lockedOut());
}

TEST_CASE("a refused password holds for a host that is made anew") {
  Neighbours bench;
  {
    auto gone = bench.account();
    bench.refuse(gone);
  }
  CHECK(bench.account().lockedOut());
}

TEST_CASE("a forced power-off tries a refused password all the same, seldom") {
  GovernorBench bench;
  CHECK(bench.failWith(Error::Code::authenticationFailed) == Error::Code::authenticationFailed);
  CHECK(bench.failWith(Error::Code::authenticationFailed, Lane::fencing) == Error::Code::authenticationFailed);
  CHECK(bench.failWith(Error::Code::authenticationFailed, Lane::fencing) == Error::Code::lockedOut);
  bench.clock.advance(61s);
  bench.ask(Lane::fencing, "fencing", 0s, Credentials::password);
  bench.clock.settle();
  CHECK(bench.order == std::vector<std::string>{"fencing"});
  CHECK_FALSE(bench.governor.lockedOut());  // it was taken
}

TEST_CASE("who waits for a turn does not show the password that was refused meanwhile") {
  GovernorBench bench;
  int tried = 0;
  const auto work = [&]() -> base::Task<void> {
    try {
      const auto turn = co_await bench.governor.enter(Lane::polling, Credentials::password);
      ++tried;
      co_await bench.clock.sleepFor(1s);
      bench.governor.passwordRefused();
    } catch (const Error&) {
    }
  };
  bench.group.spawn("one", work());
  bench.group.spawn("two", work());
  bench.clock.advance(5s);
  CHECK(tried == 1);
}

TEST_CASE("a program's place is free again however its request ended") {
  tests::Loop bench;
  bmc::TrafficPool pool(bench.runtime, {});
  std::vector<std::unique_ptr<Governor>> governors;
  int done = 0;
  const auto ask = [&](Governor& governor, base::Duration length) -> base::Task<void> {
    const auto turn = co_await governor.enter(Lane::polling, Credentials::password);
    co_await bench.clock.sleepFor(length);
    ++done;
  };
  for (int i = 0; i < 100; ++i) governors.push_back(ipmiGovernor(pool, i));
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
  for (int i = 0; i < 200; ++i) {
    governors.push_back(ipmiGovernor(pool, i));
    group.spawn("poll", hold(bench.clock, *governors.back(), Lane::polling, 1h, polls));
  }
  bench.clock.settle();
  CHECK(polls == 48);
  group.spawn("command",
              hold(bench.clock, *governors.at(199), Lane::fencing, 1h, commands));  // its poll waits for a program
  bench.clock.settle();
  CHECK(commands == 1);
  Governor redfish(pool.of(bmc::parseAddress("redfish://10.0.0.1/redfish/v1/Systems/1")), "admin",
                   base::Secret("s3cret"));
  group.spawn("another protocol", hold(bench.clock, redfish, Lane::polling, 1h, commands));
  bench.clock.settle();
  CHECK(commands == 2);
  bench.run(group.close());
}

TEST_CASE("what runs in the background takes few of the programs, and gives way to readings of power") {
  tests::Loop bench;
  bmc::TrafficPool pool(bench.runtime, {});
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  std::vector<std::unique_ptr<Governor>> governors;
  int sensors = 0, polls = 0;
  for (int i = 0; i < 100; ++i) {
    governors.push_back(ipmiGovernor(pool, i));
    group.spawn("sensors", hold(bench.clock, *governors.back(), Lane::background, 10s, sensors));
  }
  bench.clock.settle();
  CHECK(sensors == 8);
  for (int i = 50; i < 90; ++i) group.spawn("poll", hold(bench.clock, *governors.at(i), Lane::polling, 10s, polls));
  bench.clock.settle();
  CHECK(polls == 40);
  bench.clock.advance(200s);
  CHECK(sensors == 100);
  bench.run(group.close());
}

TEST_CASE("a BMC is one by protocol, host and port, whatever its hosts are called") {
  Neighbours bench;
  const auto here = bench.of("redfish://10.0.0.1/redfish/v1/Systems/1");
  CHECK(bench.of("idrac-virtualmedia://10.0.0.1/redfish/v1/Systems/2") == here);
  CHECK(bench.of("redfish://10.0.0.1:8443/redfish/v1/Systems/1") != here);
  CHECK(bench.of("ipmi://10.0.0.1") != here);
  const auto ipmi = bench.of("ipmi://10.0.0.1");
  CHECK(bench.of("10.0.0.1:623") == ipmi);
}
