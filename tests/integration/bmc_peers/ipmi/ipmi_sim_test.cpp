// Our IPMI driver and the agent's session against Debian's ipmi_sim: real RMCP+, real ipmitool (spec/bmc.md §15,
// §20.3).
#include "tests/integration/bmc_peers/ipmi/ipmi_sim.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Power;
using bmc::PowerAction;

TEST_CASE("ipmi_sim tells what it is, and its power; suite 17 is refused and 3 taken instead") {
  IpmiSim bench;
  const auto driver = bench.driver();
  CHECK(bench.world.run(driver->identity->identify(bmc::Lane::polling)).bmcFirmware == "9.08");
  CHECK(bench.world.run(driver->power->readPower(bmc::Lane::polling)).power == Power::off);
  CHECK(bench.world.run(driver->health->readHealth(bmc::Lane::polling)).health == bmc::Health::ok);
}

TEST_CASE("what machine it is in is told by its FRU, as far as it has one") {
  const bool hasFru = GENERATE(true, false);
  IpmiSim bench(false, {.commands = hasFru ? simFru(0) : ""});
  const auto found = bench.world.run(bench.driver()->inventory->readInventory(bmc::Lane::reconcile));
  REQUIRE(found.firmware.size() == 1);
  CHECK(found.firmware.front().version == "9.08");
  CHECK(found.serialNumber == (hasFru ? "S1" : ""));
  CHECK(found.model == (hasFru ? "m1" : ""));
  CHECK((found.manufacturer == "ACME") == hasFru);
  CHECK(found.unread.size() == (hasFru ? 0 : 1));
}

TEST_CASE("the event log is read, and again once there is more of it") {
  IpmiSim bench;
  const auto driver = bench.driver();
  const auto read = [&](bmc::LogMarks marks) {
    const auto reading = bench.world.run(driver->logs->readLogs(bmc::Lane::background, std::move(marks)));
    REQUIRE(reading.tails.size() == 1);
    return reading.tails.front();
  };
  const auto before = read({});
  CHECK(before.log == "SEL");
  REQUIRE(before.entries);
  CHECK_FALSE(read({{before.log, before.mark}}).entries);
  bench.folder.write("event", "0x04 0x01 0x30 0x01 0x59 0x00 0x00 # upper critical going high\n");
  auto event = bench.world.processes->run(
      {.argv = {"ipmitool", "-I", "lanplus", "-H", "127.0.0.1", "-p", std::to_string(bench.port), "-U", "admin", "-E",
                "-C", "3", "sel", "add", bench.folder.at("event")},
       .environment = {{"IPMITOOL_PASSWORD", "s3cret"}},
       .deadline = 30s});
  const auto added = bench.world.run(std::move(event), 30s);
  INFO(added.standardOutput << added.standardError);
  CHECK(added.exitCode == 0);
  const auto after = read({{before.log, before.mark}});
  REQUIRE(after.entries);
  CHECK(bmc::firstAfter(*after.entries, bmc::endOf(*before.entries)) == after.entries->size() - 1);
  CHECK(after.entries->back().severity == "Critical");
  CHECK(after.entries->back().message.find("Upper Critical going high") != std::string::npos);
}

TEST_CASE("power goes on, off, softly off and around, each proved by a read") {
  IpmiSim bench;
  const auto driver = bench.driver();
  const auto change = [&](PowerAction action) { return bench.change(*driver, action); };
  CHECK(change(PowerAction::on).reading.power == Power::on);
  CHECK(bench.journal() == "power=1\n");
  CHECK_FALSE(change(PowerAction::on).commandSent);
  CHECK(change(PowerAction::hardReboot).reading.power == Power::on);
  CHECK(bench.journal() == "power=1\npower=0\npower=1\n");
  CHECK(change(PowerAction::softOff).reading.power == Power::off);
  CHECK(bench.journal().find("shutdown=1") != std::string::npos);
}

TEST_CASE("what a host boots from reaches its chassis") {
  IpmiSim bench;
  const auto driver = bench.driver();
  static_cast<void>(
      bench.world.run(driver->boot->setBoot(bmc::Lane::operatorCommand, {.device = bmc::BootDevice::pxe}, {})));
  CHECK(bench.journal().find("boot=pxe") != std::string::npos);
  static_cast<void>(
      bench.world.run(driver->boot->setBoot(bmc::Lane::operatorCommand, {.device = bmc::BootDevice::disk}, {})));
  CHECK(bench.journal().find("boot=default") != std::string::npos);
}

TEST_CASE("power cycle is understood too") {
  IpmiSim bench(true);
  const auto driver = bench.driver();
  bench.world.run(driver->power->requestPower(bmc::Lane::operatorCommand, PowerAction::hardReboot, {}));
  bench.world.until("the power cycle", [&] {
    const auto told = bench.journal();
    const auto off = told.find("power=0");
    return off != std::string::npos && told.find("power=1", off) != std::string::npos &&
           bench.folder.read("power") == "1\n";
  });
  CHECK(bench.world.run(driver->power->readPower(bmc::Lane::polling)).power == Power::on);
}

TEST_CASE("a BMC that knows no NMI says so") {
  IpmiSim bench(true);
  const auto driver = bench.driver();
  CHECK_THROWS_AS(bench.world.run(driver->power->requestPower(bmc::Lane::operatorCommand, PowerAction::nmi, {})),
                  Error);
  CHECK(bench.journal().empty());
}

TEST_CASE("a refused login is told from everything else") {
  IpmiSim bench;
  const auto [user, password] = GENERATE(table<std::string, std::string>({{"admin", "wrong"}, {"nobody", "s3cret"}}));
  const auto driver = bench.driver(user, password);
  CHECK(bench.failure(*driver) == Error::Code::authenticationFailed);
  CHECK(bench.text.find("refused the user name or password") != std::string::npos);
  CHECK(bench.text.find(password) == std::string::npos);
}

TEST_CASE("a user with few rights reads, and may not switch") {  // ipmi_sim opens the session all the same
  IpmiSim bench;
  const auto reader = bench.driver("reader", "s3cret", "?privilegelevel=USER");
  CHECK(bench.world.run(reader->power->readPower(bmc::Lane::polling)).power == Power::off);
  CHECK_THROWS_WITH(bench.world.run(reader->power->requestPower(bmc::Lane::operatorCommand, PowerAction::on, {})),
                    Catch::Contains("privilegelevel"));
  CHECK(bench.journal().empty());
}

TEST_CASE("nobody answers") {
  IpmiSim bench;
  bench.port = freePort(SOCK_DGRAM);
  const auto driver = bench.driver();
  CHECK(bench.failure(*driver) == Error::Code::unreachable);
}

TEST_CASE("an agent's session switches a real IPMI host, and reports what it reads") {
  IpmiSim bench;
  SessionBench session(bench.world, bench.address(), "admin", "s3cret");
  session.factsWhen(
      [](const auto& facts) { return facts.power == "Off"; });  // before what the BMC is, which may take long
  session.factsWhen([](const auto& facts) { return facts.bmcFirmware == "9.08" && facts.power == "Off"; });
  const auto on = session.command("on");
  CHECK(on.outcome == "done");
  CHECK(on.power == "On");
  CHECK(session.command("soft-off").power == "Off");
  CHECK(session.command("soft-reboot").outcome == "done");  // it is off: switched on
}

TEST_CASE("an agent's session tells of a wrong password, once, and tries it no more") {
  IpmiSim bench;
  SessionBench session(bench.world, bench.address(), "admin", "wrong");
  CHECK(session.factsWhen([](const auto& facts) { return !facts.bmcErrorCode.empty(); }).bmcErrorCode ==
        "authentication-failed");
  CHECK(session.command("on").errorCode == "locked-out");
  CHECK(bench.journal().empty());
}
