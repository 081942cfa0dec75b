// What the IPMI driver does with the ways in which ipmitool ends (spec/bmc.md §15); the program itself is met in
// tests/integration.
#include "tests/bmc/ipmi_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::failed;
using tests::firstContact;
using tests::IpmiBench;
using tests::said;

namespace {

const base::ProcessResult busy = failed("Get Chassis Power Status failed: Node busy");

}  // namespace

TEST_CASE("a disk that stalls before a command takes its time from it", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is off\n"), said("Chassis Power Control: Up/On\n")};
  bench.read();
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
    bench.request(bmc::PowerAction::on, permit);
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
  CHECK(bench.read().power == bmc::Power::on);
  CHECK(bench.clock.now() - start >= 1500ms);
  CHECK(bench.processes.commands ==
        std::vector<std::string>{firstContact, "power status", "power status", "power status"});
}

TEST_CASE("a BMC that stays busy is reported so after the third time", "[ipmi]") {
  IpmiBench bench;
  for (const auto& ending : {busy, failed("Timeout"), failed("insufficient resources for session")}) {
    bench.processes = {};
    bench.processes.next = {ending};
    CHECK(bench.readFailure() == bmc::Error::Code::busy);
    CHECK(std::ranges::count(bench.processes.commands, "power status") == 3);
  }
}

TEST_CASE("what does not pass by itself is asked once", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {failed("Get Chassis Power Status failed: Invalid command")};
  CHECK(bench.readFailure() == bmc::Error::Code::unsupported);
  CHECK(bench.processes.commands == std::vector<std::string>{firstContact, "power status"});
}

TEST_CASE("a busy BMC gets a power command once", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is off\n"),
                          failed("Set Chassis Power Control to Up/On failed: Node busy")};
  (void)bench.read();
  CHECK_THROWS_AS(bench.request(bmc::PowerAction::on), bmc::Error);
  CHECK(bench.processes.commands == std::vector<std::string>{firstContact, "power status", "power on"});
}

TEST_CASE("a wrong IPMI password is shown once, and then held back", "[ipmi]") {
  IpmiBench bench;
  bench.processes.sessions = {failed("> RAKP 2 HMAC is invalid\nError: Unable to establish IPMI v2 / RMCP+ session")};
  CHECK(bench.readFailure() == bmc::Error::Code::authenticationFailed);
  CHECK(bench.readFailure() == bmc::Error::Code::lockedOut);
  CHECK(bench.processes.commands == std::vector<std::string>{firstContact});
}

TEST_CASE("a BMC without cipher suite 17 is spoken to with 3, and asked for neither again", "[ipmi]") {
  IpmiBench bench;
  bench.processes.sessions = {failed("no matching cipher suite")};
  bench.processes.next = {said("Chassis Power is on\n")};
  CHECK(bench.read().power == bmc::Power::on);
  CHECK(bench.read().power == bmc::Power::on);
  CHECK(bench.processes.commands ==
        std::vector<std::string>{firstContact, firstContact, "power status", "power status"});
  CHECK(bench.processes.suites == std::vector<std::string>{"17", "3", "3", "3"});
}

TEST_CASE("a BMC that opens no session gets no command", "[ipmi]") {
  IpmiBench bench;
  const auto [text, code] = GENERATE(table<std::string, bmc::Error::Code>({
      {"Get Auth Capabilities error", bmc::Error::Code::unreachable},
      {"Error: Unable to establish IPMI v2 / RMCP+ session", bmc::Error::Code::unreachable},
      {"insufficient resources for session", bmc::Error::Code::busy},
      {"unauthorized role requested", bmc::Error::Code::authenticationFailed},
  }));
  bench.processes.sessions = {failed(text)};
  try {
    bench.request(bmc::PowerAction::on);
    FAIL("it was sent");
  } catch (const bmc::Error& error) {
    CHECK(error.code() == code);
  }
  CHECK(bench.processes.commands == std::vector<std::string>{firstContact});
}

TEST_CASE("a command that was handed over and not answered is unknown, and is not sent again", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is off\n")};
  (void)bench.read();
  bench.processes.next = {GENERATE(base::ProcessResult{.exitCode = 1, .timedOut = true},
                                   failed("Unable to set Chassis Power Control to Up/On"))};
  try {
    bench.request(bmc::PowerAction::on);
    FAIL("it was answered");
  } catch (const bmc::Error& error) {
    CHECK(error.code() == bmc::Error::Code::outcomeUnknown);
  }
  CHECK(std::ranges::count(bench.processes.commands, "power on") == 1);
}

TEST_CASE("a password that is changed later is shown once more before the reason is known, then not at all", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is on\n")};
  (void)bench.read();
  bench.processes.commands.clear();
  bench.processes.next = {failed("Error: Unable to establish IPMI v2 / RMCP+ session")};
  const auto refused = failed("> RAKP 2 HMAC is invalid\nError: Unable to establish IPMI v2 / RMCP+ session");
  bench.processes.sessions = {refused, refused};
  CHECK(bench.readFailure() == bmc::Error::Code::authenticationFailed);
  CHECK(bench.readFailure() == bmc::Error::Code::lockedOut);
  CHECK(bench.processes.commands == std::vector<std::string>{"power status", firstContact});
  bench.clock.advance(61s);
  CHECK(bench.readFailure() == bmc::Error::Code::authenticationFailed);
  CHECK(bench.processes.commands == std::vector<std::string>{"power status", firstContact, firstContact});
}

TEST_CASE("a BMC that offers neither suite is asked from the beginning the next time", "[ipmi]") {
  IpmiBench bench;
  const auto none = failed("no matching cipher suite");
  bench.processes.sessions = {none, none};
  CHECK(bench.readFailure() == bmc::Error::Code::protocol);  // which says nothing of any command
  bench.processes.next = {said("Chassis Power is on\n")};
  CHECK(bench.read().power == bmc::Power::on);
  CHECK(bench.processes.suites == std::vector<std::string>{"17", "3", "17", "17"});
}

TEST_CASE("a BMC that refuses what is so already has done it", "[ipmi]") {
  IpmiBench bench;
  const auto declined = failed("Set Chassis Power Control to Up/On failed: Command not supported in present state");
  bench.processes.next = {said("Chassis Power is off\n"), declined, said("Chassis Power is on\n")};
  (void)bench.read();
  bench.request(bmc::PowerAction::on);
  bench.processes.next = {declined, said("Chassis Power is off\n")};
  try {
    bench.request(bmc::PowerAction::on);
    FAIL("it was done");
  } catch (const bmc::Error& error) {
    CHECK(error.code() == bmc::Error::Code::unsupported);
    CHECK_THAT(error.what(), Catch::EndsWith("Command not supported in present state"));
  }
}

TEST_CASE("an NMI is a diagnostic interrupt, and input power is nothing that IPMI can take away", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power Control: Diag\n")};
  bench.request(bmc::PowerAction::nmi);
  CHECK(bench.processes.commands == std::vector<std::string>{firstContact, "power diag"});
  CHECK_THROWS_WITH(bench.request(bmc::PowerAction::acCycle), Catch::Contains("cannot take a host's input power away"));
  CHECK(bench.processes.commands.size() == 2);
}

TEST_CASE("a BMC that falls silent in the handshake is left alone for a while", "[ipmi]") {
  IpmiBench bench;
  bench.processes.sessions.assign(10, failed("Error: Unable to establish IPMI v2 / RMCP+ session"));
  for (int i = 0; i < 4; ++i) CHECK(bench.readFailure() == bmc::Error::Code::unreachable);
  CHECK(bench.processes.commands.size() == 3);  // the fourth was not asked
}

TEST_CASE("what an IPMI host has read is as old as its question, and nothing is asked after its end", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is on\n")};
  bench.processes.takes = 3s;
  const auto reading = bench.read();
  CHECK(bench.clock.now() - reading.asked == 3s);
  bench.run(bench.driver->close());
  const auto before = bench.processes.commands.size();
  CHECK(bench.readFailure() == bmc::Error::Code::notPermitted);
  CHECK_THROWS_AS(bench.request(bmc::PowerAction::on), bmc::Error);
  CHECK(bench.processes.commands.size() == before);
}

TEST_CASE("sensors are read by one run of ipmitool", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {said("MBTemp,48,degrees C,ok\nPS a secret,02h,ok,10.1,Failure detected, by a secret\n")};
  const auto reading = bench.run(bench.driver->sensors->readSensors(bmc::Lane::polling));
  CHECK(reading.sensors.readings == std::vector<bmc::Sensor>{{"MBTemp", "temperature", "Cel", 48, "", "OK"}});
  CHECK(reading.sensors.parts ==
        std::vector<bmc::Component>{{"", "power-supply", "PS a ***", "Failure detected, by a ***", "Critical"}});
  CHECK(reading.raised == bmc::Health::critical);
  CHECK(bench.processes.commands == std::vector<std::string>{firstContact, "-c sdr elist"});
}

TEST_CASE("that the sensors were not read to their end is told, though ipmitool ends well", "[ipmi]") {
  IpmiBench bench;
  bench.processes.next = {{.exitCode = 0,
                           .standardOutput = "MBTemp,48,degrees C,ok\n",
                           .standardError = "Get SDR 0012 command failed: a secret\n"}};
  const auto reading = bench.run(bench.driver->sensors->readSensors(bmc::Lane::polling));
  CHECK(reading.sensors.readings.size() == 1);
  CHECK(reading.sensors.unread == std::vector<std::string>{"sdr elist: Get SDR 0012 command failed: a ***"});
}

TEST_CASE("an event log of which ipmitool tells less than there is counts as unread", "[ipmi][logs]") {
  IpmiBench bench;
  bench.processes.next = {said("Chassis Power is off\n")};
  bench.read();
  const auto info = [](int entries) {
    return said(
        fmt::format("SEL Information\nEntries          : {}\nLast Add Time    : 11/20/26 23:49:22 UTC\n", entries));
  };
  const auto read = [&](bmc::LogMarks marks) {
    return bench.run(bench.driver->logs->readLogs(bmc::Lane::background, std::move(marks))).tails.front();
  };
  bench.processes.next = {info(2), said("1,11/20/26,23:49:22 UTC,Fan 1,Fault,Asserted\n")};
  CHECK_THROWS_WITH(read({}), Catch::Contains("1 of 2 entries"));
  bench.processes.next = {info(0), said("SEL has no entries\n")};
  const auto empty = read({});
  CHECK(empty.entries->empty());
  bench.processes.commands.clear();
  bench.processes.next = {info(0)};
  CHECK_FALSE(read({{"SEL", empty.mark}}).entries);
  CHECK(bench.processes.commands == std::vector<std::string>{"sel info"});
}

TEST_CASE("a boot device over IPMI outlasts its minute, then is set in the form that keeps its duration") {
  IpmiBench bench;
  bench.processes.next = {said("")};
  const auto set = [&](bmc::BootSetting setting) {
    bench.processes.commands.clear();
    const auto lasts = bench.run(bench.driver->boot->setBoot(bmc::Lane::operatorCommand, setting, {}));
    CHECK(lasts == (setting.persistent ? bmc::BootLasts::always : bmc::BootLasts::once));
    return bench.processes.commands;
  };
  set({.device = bmc::BootDevice::pxe});
  CHECK(set({.device = bmc::BootDevice::pxe}) ==
        std::vector<std::string>{"raw 0x00 0x08 0x03 0x08", "raw 0x00 0x08 0x05 0xa0 0x04 0x00 0x00 0x00"});
  CHECK(set({bmc::BootDevice::disk, true, std::nullopt}).back() == "raw 0x00 0x08 0x05 0xe0 0x08 0x00 0x00 0x00");
  CHECK(set({bmc::BootDevice::cdrom, false, bmc::BootMode::legacy}).back() ==
        "raw 0x00 0x08 0x05 0x80 0x14 0x00 0x00 0x00");
  CHECK(set({.device = bmc::BootDevice::bios}).back() == "raw 0x00 0x08 0x05 0xa0 0x18 0x00 0x00 0x00");
  CHECK(set({}).back() == "raw 0x00 0x08 0x05 0x20 0x00 0x00 0x00 0x00");
}

TEST_CASE("IPMI names no URL to boot from, and has no virtual media") {
  IpmiBench bench;
  const auto codeOf = [&](auto task) {
    try {
      bench.run(std::move(task));
    } catch (const bmc::Error& error) {
      return error.code();
    }
    throw std::logic_error("nothing failed");
  };
  bench.processes.next = {said("")};
  CHECK(codeOf(bench.driver->boot->setBoot(bmc::Lane::operatorCommand, {.device = bmc::BootDevice::uefiHttp}, {})) ==
        bmc::Error::Code::unsupported);
  CHECK_FALSE(bench.driver->media);
}
