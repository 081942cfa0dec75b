// A request that is put on record first, on a disk that takes its time: whoever else speaks to a BMC does not wait.
#include "tests/bmc/ipmi_bench.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Lane;
using bmc::Power;
using bmc::PowerAction;

namespace {

struct StalledRecords {
  explicit StalledRecords(const base::Runtime& runtime)
      : over(runtime.executor), group(runtime.executor, runtime.log) {}

  bmc::WritePermit permit() {
    return {.record = [this] { return record(); },
            .timeLimit = [this]() -> base::Duration {
              ++permitted;
              if (isRevoked) throw Error(Error::Code::notPermitted, "revoked");
              return 30s;
            }};
  }
  base::Task<void> record() {
    ++begun;
    while (isStalled) co_await over.wait();
  }
  void command(bmc::Driver& driver) { group.spawn("command", request(driver)); }
  base::Task<void> request(bmc::Driver& driver) {
    try {
      co_await driver.power->requestPower(Lane::operatorCommand, PowerAction::on, permit());
    } catch (const Error& error) {
      failure = error.code();
    }
  }
  void goOn() {
    isStalled = false;
    over.notifyAll();
  }

  base::Notifier over;
  base::TaskGroup group;
  bool isStalled = true, isRevoked = false;
  int begun = 0, permitted = 0;
  std::optional<Error::Code> failure;
};

}  // namespace

TEST_CASE("a command whose record the disk takes its time for keeps no turn at its BMC, and is permitted anew") {
  tests::RedfishBench bench;
  StalledRecords records(bench.runtime);
  bench.read();
  records.command(*bench.driver);
  bench.clock.advance(1s);
  const auto start = bench.clock.now();
  CHECK(bench.read().power == Power::off);
  CHECK(bench.clock.now() - start < 1s);
  CHECK(bench.resets() == 0);
  records.permitted = 0;
  records.isRevoked = GENERATE(false, true);
  records.goOn();
  bench.clock.advance(1s);
  CHECK(records.permitted > 0);
  CHECK(bench.resets() == (records.isRevoked ? 0 : 1));
  CHECK(records.failure == (records.isRevoked ? std::optional(Error::Code::notPermitted) : std::nullopt));
  bench.run(records.group.close());
}

TEST_CASE("a record that is made in a moment costs nobody the turn") {
  tests::RedfishBench bench;
  StalledRecords records(bench.runtime);
  bench.read();
  records.goOn();
  bench.run(records.request(*bench.driver));
  CHECK(records.begun == 1);
  CHECK(bench.resets() == 1);
}

TEST_CASE("commands whose records the disk takes its time for keep no places of ipmitool from other BMCs") {
  tests::IpmiBench bench;
  StalledRecords records(bench.runtime);
  bench.processes.next = {tests::said("Chassis Power is off\n")};
  bmc::BmcPool pool(bench.runtime, {bench.http, bench.processes}, {});
  const auto open = [&](int host) {
    return pool.open({.address = bmc::parseAddress(fmt::format("ipmi://10.0.1.{}", host)),
                      .login = {"admin", base::Secret("secret")}});
  };
  std::vector<std::unique_ptr<bmc::Driver>> drivers;
  for (int host = 1; host <= 64; ++host) records.command(*drivers.emplace_back(open(host)));
  bench.clock.advance(2s);
  REQUIRE(records.begun >= 64);
  const auto other = open(65);
  const auto start = bench.clock.now();
  CHECK(bench.run(other->power->readPower(Lane::polling)).power == Power::off);
  CHECK(bench.clock.now() - start < 1s);
  const auto before = bench.processes.commands.size();
  records.goOn();
  bench.clock.advance(2s);
  CHECK(bench.processes.commands.size() == before + 64);
  bench.run(records.group.close());
}
