// Steps of a cleaning (spec/bmc.md §18), taken at the BMCs of all vendors.
#include "sim/redfish/personality.hpp"
#include "tests/sim/driven.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using bmc::CleaningStep;

namespace {

struct CleanedUp : Driven {
  explicit CleanedUp(sim::Personality personality) : Driven({.personality = personality}) {}
  std::string take(CleaningStep step) { return run(driver->cleaning->cleanUp(bmc::Lane::reconcile, step, {})); }
  [[nodiscard]] std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : machine.bootEntries) names.push_back(entry.name);
    return names;
  }
  // It ran from its disk once.
  void runSystem() {
    machine.disks.front().write(0x1fe, "\x55\xaa");
    change(bmc::PowerAction::on);
    REQUIRE(machine.bootedFrom() == sim::BootDevice::hdd);
    change(bmc::PowerAction::hardOff);
  }
};

std::vector<sim::Personality> everybody() {
  std::vector<sim::Personality> all;
  for (const auto& name : namesOf(sim::Personality{})) all.push_back(name.value);
  return all;
}

}  // namespace

TEST_CASE("the log of the hardware is cleared, and the BMC shows it empty") {
  CleanedUp bench(GENERATE(from_range(everybody())));
  for (int i = 0; i < 5; ++i) bench.machine.logEvent("Warning", "a tenant's fault");
  CHECK_THAT(bench.take(CleaningStep::clearLogs), Catch::StartsWith("cleared /redfish/v1/"));
  CHECK(bench.machine.log.events().empty());
  CHECK_THAT(bench.take(CleaningStep::clearLogs), Catch::StartsWith("cleared"));  // it may be repeated
}

TEST_CASE("sessions of our account are closed but for ours, and nobody else's") {
  CleanedUp bench(GENERATE(from_range(everybody())));
  auto forgotten = bench.open();
  static_cast<void>(bench.run(forgotten->power->readPower(bmc::Lane::polling)));
  static_cast<void>(bench.run(bench.driver->power->readPower(bmc::Lane::polling)));
  CHECK(bench.take(CleaningStep::closeSessions) == "sessions closed: 1");
  CHECK(bench.take(CleaningStep::closeSessions) == "sessions closed: 0");
  CHECK(bench.run(bench.driver->power->readPower(bmc::Lane::polling)).power == bmc::Power::off);
  CHECK(bench.run(forgotten->power->readPower(bmc::Lane::polling)).power == bmc::Power::off);  // it logs in again
}

TEST_CASE("what a system has left in the boot menu goes, what the firmware made stays") {
  CleanedUp bench(GENERATE(from_range(everybody())));
  bench.runSystem();
  REQUIRE(bench.entries() == std::vector<std::string>{"ubuntu", "Disk 1", "Network 1"});
  CHECK(bench.take(CleaningStep::resetBootOrder) == "removed the entries ubuntu");
  CHECK(bench.entries() == std::vector<std::string>{"Disk 1", "Network 1"});
  CHECK(bench.take(CleaningStep::resetBootOrder) == "no entry was removed");
}

TEST_CASE("no step writes without leave") {
  CleanedUp bench(sim::Personality::plain);
  bench.runSystem();
  bench.machine.logEvent("Warning", "a tenant's fault");
  const auto forgotten = bench.open();
  static_cast<void>(bench.run(forgotten->power->readPower(bmc::Lane::polling)));
  const auto entries = bench.entries();
  const auto logged = bench.machine.log.events().size();
  const bmc::WritePermit none{.beforeSending = [] { throw bmc::Error(bmc::Error::Code::notPermitted, "no"); }};
  for (const auto step : {CleaningStep::clearLogs, CleaningStep::closeSessions, CleaningStep::resetBootOrder})
    CHECK_THROWS_WITH(bench.run(bench.driver->cleaning->cleanUp(bmc::Lane::reconcile, step, none)), "no");
  CHECK(bench.entries() == entries);
  CHECK(bench.machine.log.events().size() == logged);
  CHECK(bench.take(CleaningStep::closeSessions) == "sessions closed: 1");
}
