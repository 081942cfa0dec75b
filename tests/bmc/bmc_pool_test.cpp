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
    (void)co_await host.readPower(lane);
    bench.ended.push_back(name);
  }

  std::unique_ptr<bmc::Driver> second;
  std::vector<std::string> ended;
  base::TaskGroup group{runtime.executor, runtime.log};
};

}  // namespace

TEST_CASE("hosts of one BMC and account share its session; the last that goes logs out") {
  TwoHosts bench;
  CHECK(bench.read().power == Power::off);
  CHECK(bench.run(bench.second->readPower(Lane::polling)).power == Power::on);
  CHECK(bench.fake.logins == 1);
  bench.run(bench.driver->close());
  bench.run(bench.driver->close());
  CHECK(bench.fake.logouts.empty());
  CHECK(bench.readFailure() == Error::Code::notPermitted);
  CHECK(bench.run(bench.second->readPower(Lane::polling)).power == Power::on);
  bench.run(bench.second->close());
  CHECK(bench.fake.logouts.size() == 1);
  bench.driver = bench.open();
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 2);
}

TEST_CASE("another password, user or trust is another session") {
  TwoHosts bench;
  bench.read();
  bench.fake.password = "changed";
  const auto changed = bench.open("changed");
  CHECK(bench.run(changed->readPower(Lane::polling)).power == Power::off);
  CHECK(bench.fake.logins == 2);
  const auto trusting = bench.pool.open({.address = bmc::parseAddress("redfish://bmc.example"),
                                         .login = {"admin", base::Secret("changed")},
                                         .verifyCertificate = false});
  CHECK(bench.run(trusting->readPower(Lane::polling)).power == Power::off);
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
  CHECK(bench.failureOf([&] { bench.run(wrong->readPower(Lane::polling)); }) == Error::Code::authenticationFailed);
  CHECK(bench.failureOf([&] { bench.run(wrong->readPower(Lane::polling)); }) == Error::Code::lockedOut);
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
    co_await bench.driver->requestPower(Lane::operatorCommand, PowerAction::on, {});
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
  std::optional<Error::Code> ended;
  const auto turnOn = [&]() -> base::Task<void> {
    try {
      co_await bench.driver->requestPower(Lane::operatorCommand, PowerAction::on, {});
    } catch (const Error& error) {
      ended = error.code();
    }
  };
  bench.group.spawn("on", turnOn());
  bench.clock.advance(5s);
  bench.run(bench.driver->close());
  bench.clock.advance(60s);
  CHECK(ended == Error::Code::notPermitted);
  CHECK(bench.resets() == 1);
}

TEST_CASE("a write that is moved by 301 or 302 is not repeated: nobody knows what the BMC would make of it") {
  TwoHosts bench;
  bench.read();
  const int status = GENERATE(301, 302);
  bench.answer("/redfish/v1/Systems/1/Actions/ComputerSystem.Reset",
               {.status = status, .headers = {{"Location", "/redfish/v1/Systems/1/Actions/Reset"}}, .body = ""});
  CHECK(bench.failureOf([&] { bench.request(PowerAction::on); }) == Error::Code::refused);
  CHECK(bench.text.find(fmt::format("HTTP {}", status)) != std::string::npos);
  CHECK(bench.resets() == 1);
}
