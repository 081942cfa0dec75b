// What hosts behind one BMC share.
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Lane;
using bmc::Power;
using bmc::PowerAction;

namespace {

// Two hosts behind one BMC, with one account.
struct TwoHosts : tests::RedfishBench {
  TwoHosts() {
    fake.documents["/redfish/v1/Systems/2"] = R"({"Id":"2","PowerState":"On"})";
    driver = open("s3cret", "redfish://bmc.example/redfish/v1/Systems/1");
    second = open("s3cret", "idrac-virtualmedia://bmc.example/redfish/v1/Systems/2");
  }
  ~TwoHosts() { run(group.close()); }

  void start(std::string name, bmc::Driver& host, Lane lane) { group.spawn(name, poll(*this, name, host, lane)); }
  static base::Task<void> poll(TwoHosts& bench, std::string name, bmc::Driver& host, Lane lane) {
    (void)co_await host.power->readPower(lane);
    bench.ended.push_back(name);
  }

  static base::Task<void> failing(bmc::Driver& host) {
    try {
      (void)co_await host.power->readPower(Lane::polling);
    } catch (const Error&) {
    }
  }

  // The first host; how it fails stays in `refusal`.
  static base::Task<void> turnOn(TwoHosts& bench) {
    try {
      co_await bench.driver->power->requestPower(Lane::operatorCommand, PowerAction::on, {});
    } catch (const Error& error) {
      bench.refusal = error.code();
    }
  }

  std::optional<Error::Code> refusal;
  std::unique_ptr<bmc::Driver> second;
  std::vector<std::string> ended;
  base::TaskGroup group{runtime.executor, runtime.log};
};

}  // namespace

TEST_CASE("hosts of one BMC and account share its session; the last that goes logs out") {
  TwoHosts bench;
  CHECK(bench.read().power == Power::off);
  CHECK(bench.run(bench.second->power->readPower(Lane::polling)).power == Power::on);
  CHECK(bench.fake.logins == 1);
  bench.run(bench.driver->close());
  bench.run(bench.driver->close());
  CHECK(bench.fake.logouts.empty());
  CHECK(bench.readFailure() == Error::Code::notPermitted);
  CHECK(bench.run(bench.second->power->readPower(Lane::polling)).power == Power::on);
  bench.run(bench.second->close());
  CHECK(bench.fake.logouts.size() == 1);
  bench.driver = bench.open();
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 2);
}

TEST_CASE(
    "a host that is given up while its login is on its way leaves no session behind, and is not waited for long") {
  TwoHosts bench;
  const auto [answersIn, sessionsLeft] = GENERATE(table<std::chrono::seconds, int>({{1s, 0}, {60s, 1}}));
  bench.fake.afterLogin = [&bench, in = answersIn] { return bench.clock.sleepFor(in); };
  bench.start("poll", *bench.driver, Lane::polling);
  bench.clock.settle();
  REQUIRE(bench.fake.logins == 1);
  const auto start = bench.clock.now();
  bench.run(bench.group.close());
  CHECK(bench.clock.now() - start == std::min<base::Duration>(answersIn, 2s));
  CHECK(bench.ended.empty());
  bench.run(bench.driver->close());
  bench.run(bench.second->close());
  CHECK(1 - static_cast<int>(bench.fake.logouts.size()) == sessionsLeft);
}

TEST_CASE("a login that ends after its connection was closed leaves no session, whoever was cancelled meanwhile") {
  TwoHosts bench;
  bench.fake.afterLogin = [&bench] { return bench.clock.sleepFor(1s); };
  bench.start("poll", *bench.driver, Lane::polling);
  bench.clock.settle();
  REQUIRE(bench.fake.logins == 1);
  bench.run(bench.second->close());
  bench.run(bench.driver->close());
  bench.run(bench.group.close());
  CHECK(bench.fake.logouts.size() == 1);
}

TEST_CASE("another password, user or trust is another session") {
  TwoHosts bench;
  bench.read();
  bench.fake.otherUsers = {"operator"};
  const auto other = bench.pool.open(
      {.address = bmc::parseAddress("redfish://bmc.example"), .login = {"operator", base::Secret("s3cret")}});
  CHECK(bench.run(other->power->readPower(Lane::polling)).power == Power::off);
  CHECK(bench.fake.logins == 2);
  bench.fake.logins = 1;
  bench.fake.password = "changed";
  const auto changed = bench.open("changed");
  CHECK(bench.run(changed->power->readPower(Lane::polling)).power == Power::off);
  CHECK(bench.fake.logins == 2);
  const auto trusting = bench.pool.open({.address = bmc::parseAddress("redfish://bmc.example"),
                                         .login = {"admin", base::Secret("changed")},
                                         .verifyCertificate = false});
  CHECK(bench.run(trusting->power->readPower(Lane::polling)).power == Power::off);
  CHECK(bench.fake.logins == 3);
  CHECK(bench.read().power == Power::off);  // its session is good, whatever became of the password
  CHECK(bench.fake.logins == 3);
}

TEST_CASE("a refused password takes no session from a host that has one") {
  TwoHosts bench;
  bench.read();
  bench.fake.password = "changed";
  const auto wrong = bench.pool.open({.address = bmc::parseAddress("redfish://bmc.example"),
                                      .login = {"admin", base::Secret("s3cret")},
                                      .verifyCertificate = false});
  CHECK(bench.failureOf([&] { bench.run(wrong->power->readPower(Lane::polling)); }) ==
        Error::Code::authenticationFailed);
  CHECK(bench.failureOf([&] { bench.run(wrong->power->readPower(Lane::polling)); }) == Error::Code::lockedOut);
  CHECK(bench.read().power == Power::off);
  bench.fake.expireSessions();
  CHECK(bench.readFailure() == Error::Code::lockedOut);
}

TEST_CASE("hosts that find their session gone at the same time log in once") {
  TwoHosts bench;
  bench.read();
  bench.fake.expireSessions();
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(1s); };
  bench.start("first", *bench.driver, Lane::polling);
  bench.start("second", *bench.second, Lane::polling);
  bench.clock.advance(10s);
  CHECK(bench.ended.size() == 2);
  CHECK(bench.fake.logins == 2);
}

TEST_CASE("hosts that log in at the same time open one session, and the most urgent opens it") {
  TwoHosts bench;
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(1s); };
  bench.start("poll", *bench.driver, Lane::polling);
  bench.clock.settle();
  bench.start("fencing", *bench.second, Lane::fencing);
  bench.clock.advance(20s);
  CHECK(bench.ended == std::vector<std::string>{"fencing", "poll"});
  CHECK(bench.fake.logins == 1);
}

TEST_CASE("a host that waits for its BMC to settle keeps no turn from its neighbour") {
  TwoHosts bench;
  bench.read();
  const std::string body = R"({"error":{"code":"IDRAC.2.8.ActionParameterValueConflict","message":"not now"}})";
  bench.fake.refusals.assign(3, {.status = 409, .headers = {}, .body = body});
  const auto turnOn = [&]() -> base::Task<void> {
    co_await bench.driver->power->requestPower(Lane::operatorCommand, PowerAction::on, {});
    bench.ended.push_back("on");
  };
  bench.group.spawn("on", turnOn());
  bench.clock.advance(5s);  // in its first pause of ten
  bench.start("poll", *bench.second, Lane::polling);
  bench.clock.settle();
  CHECK(bench.ended == std::vector<std::string>{"poll"});
  bench.clock.advance(60s);
  CHECK(bench.ended == std::vector<std::string>{"poll", "on"});
}

TEST_CASE("a host that is given up sends no command that waits for its turn or its pause") {
  TwoHosts bench;
  bench.read();
  bench.fake.refusals.assign(3, {.status = 409,
                                 .headers = {},
                                 .body = R"({"error":{"code":"I.2.8.ActionParameterValueConflict","message":"no"}})"});
  bench.group.spawn("on", TwoHosts::turnOn(bench));
  bench.clock.advance(5s);
  bench.run(bench.driver->close());
  bench.clock.advance(60s);
  CHECK(bench.refusal == Error::Code::notPermitted);
  CHECK(bench.resets() == 1);
}

TEST_CASE("a host that is given up while it waits for its turn sends nothing any more") {
  TwoHosts bench;
  bench.read();
  bench.run(bench.second->power->readPower(Lane::polling));
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(1s); };
  bench.group.spawn("on", TwoHosts::turnOn(bench));
  bench.clock.settle();
  bench.start("fencing", *bench.second, Lane::fencing);  // comes between its reading and its command
  bench.clock.advance(1500ms);
  bench.run(bench.driver->close());
  bench.clock.advance(10s);
  CHECK(bench.refusal == Error::Code::notPermitted);
  CHECK(bench.resets() == 0);
}

TEST_CASE("nothing of a neighbour comes between the reading and the command of a forced power-off") {
  TwoHosts bench;
  bench.fake.powerState = "On";
  bench.read();
  std::vector<std::string> asked;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    asked.emplace_back(request.path());
    co_await bench.clock.sleepFor(1s);
  };
  for (int i = 0; i < 3; ++i) bench.start("poll", *bench.second, Lane::polling);
  bench.clock.settle();
  const auto turnOff = [&]() -> base::Task<void> {
    co_await bench.driver->power->requestPower(Lane::fencing, PowerAction::hardOff, {});
  };
  bench.group.spawn("off", turnOff());
  bench.clock.advance(10s);
  CHECK(asked == std::vector<std::string>{"/redfish/v1/Systems/2", "/redfish/v1/Systems/1",
                                          "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", "/redfish/v1/Systems/2",
                                          "/redfish/v1/Systems/2"});
}

TEST_CASE("a login that is under way while the last host goes leaves no session behind") {
  tests::RedfishBench bench;
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(1s); };
  const auto closedAfter = GENERATE(500ms, 1500ms);  // in the service root, in the login
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  const auto read = [&]() -> base::Task<void> {
    CHECK_THROWS_AS(co_await bench.driver->power->readPower(Lane::polling), Error);
  };
  group.spawn("read", read());
  bench.clock.advance(closedAfter);
  bench.run(bench.driver->close());
  bench.clock.advance(10s);
  CHECK(bench.fake.logins == (closedAfter == 500ms ? 0 : 1));
  CHECK(bench.fake.logouts.size() == static_cast<std::size_t>(bench.fake.logins));
  bench.run(group.close());
}

TEST_CASE("a resource that one host may not see takes the session from no neighbour, and costs few logins") {
  TwoHosts bench;
  bench.read();
  const int status = GENERATE(401, 403);
  bench.answer("/redfish/v1/Systems/2", {.status = status, .headers = {}, .body = R"({"error":{"message":"no"}})"});
  const auto readSecond = [&] { bench.run(bench.second->power->readPower(Lane::polling)); };
  for (int i = 0; i < 5; ++i) CHECK(bench.failureOf(readSecond) == Error::Code::refused);
  CHECK(bench.fake.logins == 2);
  CHECK(bench.fake.logouts.size() == 1);  // the one before was good, too
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 2);
  bench.clock.advance(11min);  // it may have changed
  CHECK(bench.failureOf(readSecond) == Error::Code::refused);
  CHECK(bench.fake.logins == 3);
}

TEST_CASE("a session that may be good is not given up for a password that is refused") {
  TwoHosts bench;
  bench.read();
  bench.fake.password = "changed";
  bench.answer("/redfish/v1/Systems/2", {.status = 403, .headers = {}, .body = R"({"error":{"message":"no"}})"});
  CHECK(bench.failureOf([&] { bench.run(bench.second->power->readPower(Lane::polling)); }) ==
        Error::Code::authenticationFailed);
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a session that has run out is not shown again and again while its password is refused") {
  TwoHosts bench;
  bench.read();
  bench.fake.password = "changed";
  bench.fake.expireSessions();
  int asked = 0;
  bench.fake.before = [&asked](const auto&) -> base::Task<void> {
    ++asked;
    co_return;
  };
  CHECK(bench.readFailure() == Error::Code::authenticationFailed);
  CHECK(asked == 2);  // with the session, and the login
  for (int i = 0; i < 3; ++i) CHECK(bench.readFailure() == Error::Code::lockedOut);
  CHECK(asked == 2);
}

TEST_CASE("hosts that log in at the same time with a wrong password show it once") {
  TwoHosts bench;
  bench.fake.password = "changed";
  bench.fake.hasSessions = GENERATE(true, false);
  if (!bench.fake.hasSessions) bench.fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"}})";
  int shown = 0;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "POST" || request.headers.find("Authorization")) ++shown;
    co_await bench.clock.sleepFor(1s);
  };
  for (auto* host : {bench.driver.get(), bench.second.get()}) bench.group.spawn("poll", TwoHosts::failing(*host));
  bench.clock.advance(20s);
  CHECK(shown == 1);
  bench.fake.password = "s3cret";
  bench.run(bench.driver->power->readPower(Lane::fencing));  // which may try, and finds it good
  CHECK(bench.run(bench.second->power->readPower(Lane::polling)).power == Power::on);
}

TEST_CASE("a BMC whose sessions are not there for a moment is not spoken to by Basic for good") {
  TwoHosts bench;
  bench.fake.hasSessions = false;  // it starts
  CHECK(bench.read().power == Power::off);
  bench.fake.hasSessions = true;
  bench.clock.advance(11min);
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 1);
  bench.fake.expireSessions();
  bench.fake.hasSessions = false;  // one that has had them
  CHECK(bench.readFailure() == Error::Code::busy);
}

TEST_CASE("a write that is moved by 301 or 302 is not repeated: nobody knows what the BMC would make of it",
          "[redirect]") {
  TwoHosts bench;
  bench.read();
  const int status = GENERATE(301, 302);
  bench.answer("/redfish/v1/Systems/1/Actions/ComputerSystem.Reset",
               {.status = status, .headers = {{"Location", "/redfish/v1/Systems/1/Actions/Reset"}}, .body = ""});
  CHECK(bench.failureOf([&] { bench.request(PowerAction::on); }) == Error::Code::refused);
  CHECK_THAT(bench.text, Catch::EndsWith(": the BMC moves a write elsewhere; is its address right (https, port)?"));
  CHECK(bench.resets() == 1);
}
