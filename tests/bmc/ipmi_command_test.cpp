#include "bmc/ipmi/command.hpp"

#include "base/file.hpp"
#include "bmc/ipmi/home.hpp"
#include "tests/bmc/ipmi_results.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/ranges.h>
#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Error;
using bmc::ipmi::Failure;
using tests::failed;

TEST_CASE("the password is in the environment, never in argv, and the cipher suite is always given") {
  const auto spec =
      bmc::ipmi::commandLine({.host = "10.0.0.1", .username = "admin", .password = base::Secret("hunter2")},
                             {"power", "status"}, std::chrono::seconds(5));
  const auto line = fmt::format("{}", fmt::join(spec.argv, " "));
  CHECK(line == "ipmitool -I lanplus -H 10.0.0.1 -p 623 -L ADMINISTRATOR -C 17 -R 1 -N 5 -U admin -E power status");
  CHECK(spec.secretEnvironment.at("IPMITOOL_PASSWORD").reveal() == "hunter2");
  CHECK(spec.environment.count("IPMITOOL_PASSWORD") == 0);
}

TEST_CASE("what reads all sensors or the whole log has more time, and one try more, than anything else") {
  const auto tries = [](std::vector<std::string> command) {
    const auto spec = bmc::ipmi::commandLine({.host = "10.0.0.1"}, std::move(command), std::chrono::seconds(5));
    return *(std::ranges::find(spec.argv, "-R") + 1);
  };
  using Command = std::vector<std::string>;
  for (const auto& command : {Command{"-c", "sdr", "elist"}, Command{"-v", "sdr", "elist", "fru"},
                              Command{"-c", "sel", "elist", "last", "64"}}) {
    CHECK(tries(command) == "2");
    CHECK(bmc::ipmi::deadlineOf(command) == std::chrono::seconds(300));
  }
  for (const auto& command : {Command{"power", "status"}, Command{"sel", "info"}, Command{"fru", "print", "0"}}) {
    CHECK(tries(command) == "1");
    CHECK(bmc::ipmi::deadlineOf(command) == std::chrono::seconds(30));
  }
}

TEST_CASE("only what tells the manufacturer loads the names of all manufacturers") {
  const bmc::ipmi::Invocation to{.host = "10.0.0.1", .home = "/data/ipmitool"};
  const auto home = [&](std::vector<std::string> command) {
    return bmc::ipmi::commandLine(to, std::move(command), std::chrono::seconds(5)).environment["HOME"];
  };
  CHECK(home({"power", "status"}) == "/data/ipmitool");
  CHECK(home({"mc", "info"}).empty());
  const tests::TemporaryFolder folder;
  for (int start = 0; start < 2; ++start) bmc::ipmi::makeHome(folder.path());
  CHECK(base::readFile(folder.path() + "/.local/usr/share/misc/enterprise-numbers.txt").starts_with("0\n"));
}

TEST_CASE("a password that IPMI cannot carry is refused before anything is sent") {
  const bmc::ipmi::Invocation to{.host = "10.0.0.1", .password = base::Secret(std::string(21, 'x'))};
  CHECK_THROWS_WITH(bmc::ipmi::commandLine(to, {"mc", "info"}, std::chrono::seconds(5)),
                    Catch::Contains("longer than 20 bytes") && !Catch::Contains("xxx"));
}

TEST_CASE("what ipmitool complains about decides what happens next") {
  const auto [text, meaning] = GENERATE(table<std::string, Failure>({
      {"> RAKP 2 HMAC is invalid\nError: Unable to establish IPMI v2 / RMCP+ session", Failure::authentication},
      {"RAKP 2 message indicates an error : unauthorized name", Failure::authentication},
      {"Error: Unable to establish IPMI v2 / RMCP+ session", Failure::ambiguousSession},
      {"Get Auth Capabilities error\nError issuing Get Channel Authentication Capabilities request",
       Failure::unreachable},
      {"Address lookup for nowhere failed\nCould not open socket!", Failure::unreachable},
      {"Error in open session response message : no matching cipher suite", Failure::cipherSuite},
      {"Error in open session response message : invalid authentication algorithm", Failure::cipherSuite},
      {"Error in open session response message : insufficient resources for session", Failure::busy},
      {"Set Chassis Power Control to Up/On failed: Node busy", Failure::busy},
      {"Set Chassis Power Control to Up/On failed: Insufficient privilege level", Failure::notGranted},
      {"Set Session Privilege Level to ADMINISTRATOR failed: Insufficient privilege level", Failure::privilege},
      {"Set Session Privilege Level to ADMINISTRATOR failed\nError: Unable to establish IPMI v2 / RMCP+ session",
       Failure::unreachable},
      {"> Error: no response from RAKP 1 message\nSet Session failed: Insufficient privilege level",
       Failure::unreachable},
      {"Error in open session response message : invalid role", Failure::cipherSuite},
      {"Error in open session response message : illegal parameter", Failure::cipherSuite},
      {"> RAKP 4 message has invalid integrity check value", Failure::authentication},
      {"Error in open session response message : insufficient resources for role", Failure::busy},
      {"Set Chassis Power Control to Up/On failed: Device firmeware in update mode", Failure::busy},
      {"Set Chassis Power Control to Up/On failed: Cannot execute command, command disabled", Failure::unsupported},
      {"Unable to get Chassis Power Status", Failure::unreachable},
      {"This BMC does not support IPMI v2", Failure::unsupported},
      {"Set Chassis Power Control to Soft failed: Invalid data field in request", Failure::unsupported},
      {"something new", Failure::other},
  }));
  CHECK(bmc::ipmi::classify(failed(text)) == meaning);
}

TEST_CASE("a command counts as not carried out only when no session stood or the BMC declined it") {
  const auto [text, perhaps] = GENERATE(table<std::string, bool>({
      {"Unable to set Chassis Power Control to Soft", true},  // no reply to the command
      {"Set Chassis Power Control to Soft failed: Timeout", true},
      {"Set Chassis Power Control to Soft failed: Unspecified error", true},
      {"Set Chassis Power Control to Soft failed: Command response could not be provided", true},
      {"", true},
      {"Set Chassis Power Control to Soft failed: Node busy", false},
      {"Set Chassis Power Control to Soft failed: Command not supported in present state", false},
      {"Set Session Privilege Level to ADMINISTRATOR failed", false},
      {"Error: Unable to establish IPMI v2 / RMCP+ session", false},
      {"Address lookup for nowhere failed\nCould not open socket!", false},
  }));
  INFO(text);
  CHECK(bmc::ipmi::mayHaveActed(failed(text)) == perhaps);
  CHECK(bmc::ipmi::mayHaveActed({.exitCode = 1, .timedOut = true, .standardError = text}));
}

TEST_CASE("only the two exact sentences are a power state") {
  CHECK(bmc::ipmi::parsePowerStatus("Chassis Power is on\n").power == bmc::Power::on);
  CHECK(bmc::ipmi::parsePowerStatus("Chassis Power is off\n").power == bmc::Power::off);
  CHECK_THROWS_AS(bmc::ipmi::parsePowerStatus("Chassis Power is onerous\n"), Error);
  CHECK_THROWS_AS(bmc::ipmi::parsePowerStatus(""), Error);
}

TEST_CASE("mc info gives vendor and firmware") {
  const auto identity = bmc::ipmi::parseMcInfo(
      "Device ID                 : 32\nFirmware Revision         : 9.08\nManufacturer Name         : Dell Inc.\n");
  CHECK(identity.vendor == "dell");
  CHECK(identity.bmcFirmware == "9.08");
  CHECK_THROWS_AS(bmc::ipmi::parseMcInfo("noise"), Error);
}

TEST_CASE("a chassis fault is critical, no answer is unknown") {
  CHECK(bmc::ipmi::parseChassisHealth("System Power         : on\nMain Power Fault     : false\n") == bmc::Health::ok);
  CHECK(bmc::ipmi::parseChassisHealth("System Power         : on\nCooling/Fan Fault    : true\n") ==
        bmc::Health::critical);
  CHECK(bmc::ipmi::parseChassisHealth("") == bmc::Health::unknown);
}
