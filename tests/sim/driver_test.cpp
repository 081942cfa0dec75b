#include "tests/sim/driven.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::PowerAction;
using tests::Driven;
using namespace std::chrono_literals;

TEST_CASE("the client identifies the simulated server and its health") {
  Driven bench;
  const auto identity = bench.run(bench.driver->identity->identify(bmc::Lane::polling));
  CHECK(identity.serialNumber == "SIM000001");
  CHECK(identity.bmcFirmware == "2.0.0");
  CHECK(bench.run(bench.driver->health->readHealth(bmc::Lane::polling)).health == bmc::Health::ok);
}

TEST_CASE("the client finds the hardware that the simulated server has") {
  Driven bench;
  const auto found = bench.run(bench.driver->inventory->readInventory(bmc::Lane::reconcile));
  const auto& spec = bench.machine.spec();
  CHECK(found.unread.empty());
  CHECK(found.serialNumber == spec.serial);
  CHECK(found.memoryMib == spec.memoryMiB);
  CHECK(found.processors.architecture == spec.arch);
  CHECK(found.processors.threads == spec.cpus);
  REQUIRE(found.networkCards.size() == spec.nics.size());
  CHECK(found.networkCards.front().mac == spec.nics.front().mac);
  REQUIRE(found.disks.size() == bench.machine.disks.size());
  const auto& disk = bench.machine.disks.front();
  CHECK(found.disks.front().serialNumber == disk.spec().serial);
  CHECK(found.disks.front().wwn == disk.spec().wwn);
  CHECK(found.disks.front().bytes == static_cast<std::int64_t>(disk.size()));
}

TEST_CASE("the client reads the sensors that the simulated server has") {
  Driven bench;
  const auto found = bench.run(bench.driver->sensors->readSensors(bmc::Lane::polling)).sensors;
  CHECK(found.unread.empty());
  for (const auto* kind : {"temperature", "fan", "voltage", "power"})
    CHECK(std::ranges::count(found.readings, kind, &bmc::Sensor::kind) >= 1);
}

TEST_CASE("the client sees a leak of a simulated server whose BMC finds the system well") {
  sim::MachineSpec spec;
  spec.personality = sim::Personality::openbmc;
  Driven bench(spec);
  const auto raised = [&] { return bench.run(bench.driver->sensors->readSensors(bmc::Lane::polling)).raised; };
  CHECK(raised() == bmc::Health::ok);
  bench.machine.setFault(sim::Fault::leak, true);
  CHECK(raised() == bmc::Health::critical);
  CHECK(bench.run(bench.driver->health->readHealth(bmc::Lane::polling)).health == bmc::Health::ok);
  bench.machine.setFault(sim::Fault::leak, false);
  CHECK(raised() == bmc::Health::ok);
}

TEST_CASE("the client reads the log of the simulated server, and what comes into it") {
  Driven bench;
  bench.machine.logEvent("Critical", "Temperature too high");
  const auto read = [&](bmc::LogMarks marks) {
    auto reading = bench.run(bench.driver->logs->readLogs(bmc::Lane::background, std::move(marks)));
    CHECK(reading.unread.empty());
    REQUIRE(reading.tails.size() == 1);
    return reading.tails.front();
  };
  const auto first = read({});
  REQUIRE(first.entries);
  CHECK(first.entries->back().message == "Temperature too high");
  CHECK(first.entries->back().severity == "Critical");
  CHECK_FALSE(read({{first.log, first.mark}}).entries);
  bench.machine.setFault(sim::Fault::cordOut, true);
  const auto later = read({{first.log, first.mark}});
  REQUIRE(later.entries);
  CHECK(bmc::firstAfter(*later.entries, bmc::endOf(*first.entries)) == first.entries->size());
  bench.machine.log.clear();
  CHECK(read({{later.log, later.mark}}).entries->empty());
}

TEST_CASE("the client turns the simulated server on and off, with one request each") {
  Driven bench;
  REQUIRE(bench.change(PowerAction::on).reading.power == bmc::Power::on);
  REQUIRE(bench.change(PowerAction::softOff).reading.power == bmc::Power::off);
  REQUIRE(bench.changes() == std::vector<std::string>{"login admin", "reset On", "reset GracefulShutdown"});
}

TEST_CASE("the client renews a session that the BMC forgot") {
  Driven bench;
  REQUIRE(bench.change(PowerAction::on).commandSent);
  bench.machine.setFault(sim::Fault::expireSessions, true);
  bench.send("GET", "/redfish/v1/Systems/1");
  bench.machine.setFault(sim::Fault::expireSessions, false);
  REQUIRE(bench.run(bench.driver->power->readPower(bmc::Lane::polling)).power == bmc::Power::on);
}

TEST_CASE("the client sees through a BMC that accepts and does nothing") {
  Driven bench;
  bench.machine.setFault(sim::Fault::ignoreReset, true);
  REQUIRE(bench.failure(PowerAction::on) == bmc::Error::Code::notReached);
}

TEST_CASE("the client is refused without input power, and with a wrong password") {
  Driven bench;
  bench.machine.setFault(sim::Fault::cordOut, true);
  REQUIRE(bench.failure(PowerAction::on) == bmc::Error::Code::refused);
  REQUIRE(bench.run(bench.driver->health->readHealth(bmc::Lane::polling)).health == bmc::Health::critical);

  Driven stranger;
  stranger.machine.setFault(sim::Fault::refusePassword, true);
  REQUIRE(stranger.failure(PowerAction::on) == bmc::Error::Code::authenticationFailed);
}

namespace {

base::Task<void> follow(bmc::Driver& driver, int& opened, int& happened, bool& isRefused) {
  try {
    co_await driver.events->followEvents(
        bmc::Lane::background, [&](bmc::EventNews news) { ++(news == bmc::EventNews::opened ? opened : happened); });
  } catch (const bmc::Error& error) {
    isRefused = error.code() == bmc::Error::Code::busy;
  }
}

}  // namespace

TEST_CASE("the client is told when the power of the simulated server changes, and no more than it has streams") {
  Driven bench;
  int opened = 0, happened = 0;
  bool isRefused = false;
  base::TaskGroup tasks(bench.runtime.executor, bench.runtime.log);
  tasks.spawn("follow", follow(*bench.driver, opened, happened, isRefused));
  bench.clock.advance(1s);
  CHECK(opened == 1);
  CHECK(happened == 0);
  bench.change(PowerAction::on);
  CHECK(happened == 1);
  bench.machine.setFault(sim::Fault::cordOut, true);
  bench.clock.advance(1s);
  CHECK(happened == 2);  // cord and power in one piece

  std::vector<std::unique_ptr<bmc::Driver>> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(bench.open());
    CHECK_FALSE(isRefused);
    tasks.spawn("follow", follow(*others.back(), opened, happened, isRefused));
    bench.clock.advance(1s);
  }
  CHECK(opened == 4);
  CHECK(isRefused);
  bench.run(tasks.close());
}

TEST_CASE("the client sees a cable that is not there, and the VLAN of a port") {
  sim::MachineSpec spec;
  spec.nics = {{.cabled = false, .vlanId = 7}, {.switchPort = "xe-0/0/3"}};
  Driven bench(spec);
  const auto cards = bench.run(bench.driver->inventory->readInventory(bmc::Lane::reconcile)).networkCards;
  REQUIRE(cards.size() == 2);
  CHECK(cards[0].link == "down");
  CHECK(cards[0].vlanId == 7);
  CHECK(cards[0].neighbour == bmc::LldpNeighbour{});
  CHECK(cards[1].link == "up");
  CHECK(cards[1].neighbour.portId == "xe-0/0/3");
}

TEST_CASE("an account that must change its password first does nothing else, and says so") {
  Driven bench;
  const auto path = "/redfish/v1/AccountService/Accounts/1";
  REQUIRE(bench.send("PATCH", path, R"({"PasswordChangeRequired":true})").status == 200);
  CHECK_THROWS_WITH(bench.change(PowerAction::on),
                    Catch::Contains("before the password of that account is changed (PasswordChangeRequired)"));
  CHECK(bench.changes() == std::vector<std::string>{"change account admin", "login admin"});
  REQUIRE(bench.send("GET", path).status == 200);
  REQUIRE(bench.send("PATCH", path, R"({"Password":"ingot-sim"})").status == 200);
  bench.pass(10s);
  CHECK(bench.power() == "Off");
}

TEST_CASE("the stream of an account ends with it") {
  Driven bench;
  const auto made = bench.send("POST", "/redfish/v1/AccountService/Accounts",
                               R"({"UserName":"watcher","Password":"Secret.12345","RoleId":"ReadOnly"})");
  REQUIRE(made.status == 201);
  const auto watcher = bench.open("watcher", "Secret.12345");
  int opened = 0, happened = 0;
  bool isRefused = false;
  base::TaskGroup tasks(bench.runtime.executor, bench.runtime.log);
  tasks.spawn("follow", follow(*watcher, opened, happened, isRefused));
  bench.clock.advance(1s);
  REQUIRE(opened == 1);
  REQUIRE(tasks.running() == 1);
  REQUIRE(bench.send("DELETE", std::string(made.headers.get("Location"))).status == 204);
  bench.clock.advance(1s);
  CHECK(tasks.running() == 0);
  CHECK(happened == 0);
  bench.run(tasks.close());
}

TEST_CASE("a BMC that answers too much, too slowly or nonsense is told as what it is, and is well when it ends") {
  const auto [fault, code] = GENERATE(table<sim::Fault, bmc::Error::Code>({
      {sim::Fault::oversize, bmc::Error::Code::protocol},
      {sim::Fault::garbage, bmc::Error::Code::protocol},
      {sim::Fault::drip, bmc::Error::Code::timeout},
  }));
  Driven bench;
  bench.change(PowerAction::on);
  bench.machine.setFault(fault, true);
  CHECK(bench.failure(PowerAction::hardOff) == code);
  CHECK(bench.changes() == std::vector<std::string>{"login admin", "reset On"});
  bench.machine.setFault(fault, false);
  CHECK(bench.change(PowerAction::hardOff).reading.power == bmc::Power::off);
}

TEST_CASE("a BMC that dies above two requests a second never does where the rate is told, and does where it is not") {
  const bool isTold = GENERATE(true, false);
  Driven bench;
  bmc::BmcPool bmcs(bench.runtime, {bench.transport, bench.processes},
                    {.minInterval = isTold ? base::Duration(500ms) : base::Duration{}});
  const bmc::Target target{.address = bmc::parseAddress("redfish://bmc.example"),
                           .login = {"admin", base::Secret("ingot-sim")}};
  const auto one = bmcs.open(target), other = bmcs.open(target);  // two hosts of it
  bench.machine.setFault(sim::Fault::fragile, true);
  base::TaskGroup tasks(bench.runtime.executor, bench.runtime.log);
  const auto ask = [](bmc::Driver& driver) -> base::Task<void> {
    co_await driver.identity->identify(bmc::Lane::polling);
    co_await driver.inventory->readInventory(bmc::Lane::reconcile);
    co_await driver.sensors->readSensors(bmc::Lane::polling);
    co_await driver.logs->readLogs(bmc::Lane::background, {});
  };
  tasks.spawn("one", ask(*one));
  tasks.spawn("other", ask(*other));
  bench.clock.advance(10min);
  CHECK(tasks.running() == 0);
  const auto died = std::ranges::count(bench.journal.since(0), "died", &sim::JournalEntry::detail);
  CHECK(died == (isTold ? 0 : 1));
  if (isTold)
    CHECK(bench.run(bmc::changePower(bench.clock, *one->power, bmc::Lane::operatorCommand, PowerAction::on, {}))
              .commandSent);
  bench.run(tasks.close());
  bench.run(one->close());
  bench.run(other->close());
}
