// What the IPMI driver does with the ways in which ipmitool ends; the program itself is met in tests/integration.
#include "bmc/ipmi/driver.hpp"

#include "tests/bmc/ipmi_results.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <deque>

using namespace ingot;
using namespace std::chrono_literals;
using tests::failed;
using tests::said;

namespace {

// A runner whose runs end as told; the last result holds for all further runs.
class Endings final : public base::ProcessRunner {
 public:
  std::deque<base::ProcessResult> next;
  std::vector<std::string> commands;
  std::vector<base::Duration> limits;

  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    const auto secretBefore = std::ranges::find(spec.argv, "-E");
    limits.push_back(spec.deadline);
    commands.push_back(fmt::format("{}", fmt::join(secretBefore + 1, spec.argv.end(), " ")));
    auto result = next.front();
    if (next.size() > 1) next.pop_front();
    co_return result;
  }
};

struct IpmiBench : tests::Loop {
  Endings processes;
  bmc::ipmi::IpmiDriver driver{
      runtime,
      processes,
      {.address = bmc::parseAddress("ipmi://10.0.0.1"), .login = {"admin", base::Secret("secret")}}};

  bmc::Error::Code readFailure() {
    try {
      (void)run(driver.readPower());
    } catch (const bmc::Error& error) {
      return error.code();
    }
    throw std::logic_error("nothing failed");
  }
};

const base::ProcessResult busy = failed("Get Chassis Power Status failed: Node busy");

}  // namespace

TEST_CASE("a disk that stalls before a command takes its time from it", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is off\n"), said("Chassis Power Control: Up/On\n")};
  bench.run(bench.driver.readPower());
  bench.processes.commands.clear();
  bench.processes.limits.clear();
  const auto stalled = GENERATE(5s, 20s);
  base::Duration left = 14s;
  const bmc::WritePermit permit{.timeLimit =
                                    [&] {
                                      if (left <= base::Duration{})
                                        throw bmc::Error(bmc::Error::Code::notPermitted, "the lease is over");
                                      return left;
                                    },
                                .beforeSending = [&] { left -= stalled; }};
  bool isRefused = false;
  try {
    bench.run(bench.driver.requestPower(bmc::PowerAction::on, permit));
  } catch (const bmc::Error& error) {
    isRefused = error.code() == bmc::Error::Code::notPermitted;
  }
  CHECK(isRefused == (stalled == 20s));
  CHECK(bench.processes.commands.empty() == isRefused);
  for (const auto& limit : bench.processes.limits) CHECK(limit <= 9s);
}

TEST_CASE("a busy BMC is asked three times, with a pause between", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {busy, busy, said("Chassis Power is on\n")};
  const auto start = bench.clock.now();
  CHECK(bench.run(bench.driver.readPower()).power == bmc::Power::on);
  CHECK(bench.clock.now() - start >= 1500ms);
  CHECK(bench.processes.commands == std::vector<std::string>(3, "power status"));
}

TEST_CASE("a BMC that stays busy is reported so after the third time", "[ipmi]") {
  IpmiBench bench;
  for (const auto& ending : {busy, failed("Timeout"), failed("insufficient resources for session")}) {
    bench.processes = {};
    bench.processes.next = {ending};
    CHECK(bench.readFailure() == bmc::Error::Code::busy);
    CHECK(bench.processes.commands.size() == 3);
  }
}

TEST_CASE("what does not pass by itself is asked once", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {failed("Activate Session command failed")};
  CHECK(bench.readFailure() == bmc::Error::Code::authenticationFailed);
  bench.processes.next = {failed("Get Chassis Power Status failed: Invalid command")};
  CHECK(bench.readFailure() == bmc::Error::Code::unsupported);
  CHECK(bench.processes.commands.size() == 2);
}

TEST_CASE("a busy BMC gets a power command once", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is off\n"),
                          failed("Set Chassis Power Control to Up/On failed: Node busy")};
  (void)bench.run(bench.driver.readPower());
  CHECK_THROWS_AS(bench.run(bench.driver.requestPower(bmc::PowerAction::on, {})), bmc::Error);
  CHECK(bench.processes.commands == std::vector<std::string>{"power status", "power on"});
}
