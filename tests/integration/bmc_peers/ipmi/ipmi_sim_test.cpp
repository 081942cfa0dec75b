// Our IPMI driver and the agent's session against Debian's ipmi_sim: real RMCP+, real ipmitool (spec/bmc.md §15,
// §20.3).
#include "tests/integration/bmc_peers/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Power;
using bmc::PowerAction;

namespace {

// What ipmi_sim calls for everything about the chassis: power is a file, each change a line of the journal.
constexpr auto chassis = R"sh(#!/bin/sh
cd "$1"; shift 2
verb=$1; shift
case $verb in
  get) for what in "$@"; do
         case $what in power) echo "power:$(cat power)";; *) echo "$what:0";; esac
       done;;
  set) while [ $# -gt 1 ]; do
         echo "$1=$2" >> journal
         case $1 in power) echo "$2" > power;; shutdown) echo 0 > power;; esac
         shift 2
       done;;
esac
)sh";

// The FRU: of ACME a product "m1" with the serial number "S1".
constexpr auto commands = R"(mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 1000 0x0a
mc_add_fru_data 0x20 0 32 data 0x01 0x00 0x00 0x00 0x01 0x00 0x00 0xfe 0x01 0x03 0x00 0xc4 0x41 0x43 0x4d 0x45 0xc2 0x6d 0x31 0x00 0x00 0xc2 0x53 0x31 0x00 0x00 0xc1 0x00 0x00 0x00 0x00 0xbb
mc_enable 0x20
)";
constexpr auto commandsWithoutFru = R"(mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 1000 0x0a
mc_enable 0x20
)";

std::string configuration(std::uint16_t port, const std::string& program) {
  return fmt::format(R"(name "peer"
set_working_mc 0x20
  startlan 1
    addr 127.0.0.1 {}
    priv_limit admin
    allowed_auths_callback none md2 md5 straight
    allowed_auths_user none md2 md5 straight
    allowed_auths_operator none md2 md5 straight
    allowed_auths_admin none md2 md5 straight
    guid a123456789abcdefa123456789abcdef
  endlan
  chassis_control "{}"
  user 1 true "" "test" user 10 none md2 md5 straight
  user 2 true "admin" "s3cret" admin 10 none md2 md5 straight
  user 3 true "reader" "s3cret" user 10 none md2 md5 straight
)",
                     port, program);
}

struct Bench : PeerBench {
  explicit Bench(bool powered = false, const char* commands = ::commands) : PeerBench(SOCK_DGRAM) {
    folder.write("power", powered ? "1\n" : "0\n");
    folder.write("chassis.sh", chassis, 0700);
    folder.write("lan.conf", configuration(port, fmt::format("{} {} 0x20", folder.at("chassis.sh"), folder.at("."))));
    folder.write("commands", commands);
    std::filesystem::create_directory(folder.at("state"));
    world.startPeer({.argv = {"ipmi_sim", "-c", folder.at("lan.conf"), "-f", folder.at("commands"), "-s",
                              folder.at("state"), "-n"}});
    world.await([this] { return reach(); });
  }
  base::Task<void> reach() {
    const auto ready = driver();
    co_await ready->identity->identify(bmc::Lane::polling);
  }

  [[nodiscard]] std::string address(const std::string& query = "") const {
    return fmt::format("ipmi://127.0.0.1:{}{}", port, query);
  }
  std::unique_ptr<bmc::Driver> driver(const std::string& user = "admin", const std::string& password = "s3cret",
                                      const std::string& query = "") {
    return open({.address = bmc::parseAddress(address(query)), .login = {user, base::Secret(password)}});
  }
  [[nodiscard]] std::string journal() const { return base::readFileIfExists(folder.at("journal")).value_or(""); }
};

}  // namespace

TEST_CASE("ipmi_sim tells what it is, and its power; suite 17 is refused and 3 taken instead") {
  Bench bench;
  const auto driver = bench.driver();
  CHECK(bench.world.run(driver->identity->identify(bmc::Lane::polling)).bmcFirmware == "9.08");
  CHECK(bench.world.run(driver->power->readPower(bmc::Lane::polling)).power == Power::off);
  CHECK(bench.world.run(driver->health->readHealth(bmc::Lane::polling)).health == bmc::Health::ok);
}

TEST_CASE("what machine it is in is told by its FRU, as far as it has one") {
  const bool hasFru = GENERATE(true, false);
  Bench bench(false, hasFru ? commands : commandsWithoutFru);
  const auto found = bench.world.run(bench.driver()->inventory->readInventory(bmc::Lane::reconcile));
  REQUIRE(found.firmware.size() == 1);
  CHECK(found.firmware.front().version == "9.08");
  CHECK(found.serialNumber == (hasFru ? "S1" : ""));
  CHECK(found.model == (hasFru ? "m1" : ""));
  CHECK((found.manufacturer == "ACME") == hasFru);
  CHECK(found.unread.size() == (hasFru ? 0 : 1));
}

TEST_CASE("the event log is read, and again once there is more of it") {
  Bench bench;
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
  Bench bench;
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
  Bench bench;
  const auto driver = bench.driver();
  static_cast<void>(
      bench.world.run(driver->boot->setBoot(bmc::Lane::operatorCommand, {.device = bmc::BootDevice::pxe}, {})));
  CHECK(bench.journal().find("boot=pxe") != std::string::npos);
  static_cast<void>(
      bench.world.run(driver->boot->setBoot(bmc::Lane::operatorCommand, {.device = bmc::BootDevice::disk}, {})));
  CHECK(bench.journal().find("boot=default") != std::string::npos);
}

TEST_CASE("power cycle is understood too") {
  Bench bench(true);
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
  Bench bench(true);
  const auto driver = bench.driver();
  CHECK_THROWS_AS(bench.world.run(driver->power->requestPower(bmc::Lane::operatorCommand, PowerAction::nmi, {})),
                  Error);
  CHECK(bench.journal().empty());
}

TEST_CASE("a refused login is told from everything else") {
  Bench bench;
  const auto [user, password] = GENERATE(table<std::string, std::string>({{"admin", "wrong"}, {"nobody", "s3cret"}}));
  const auto driver = bench.driver(user, password);
  CHECK(bench.failure(*driver) == Error::Code::authenticationFailed);
  CHECK(bench.text.find("refused the user name or password") != std::string::npos);
  CHECK(bench.text.find(password) == std::string::npos);
}

TEST_CASE("a user with few rights reads, and may not switch") {  // ipmi_sim opens the session all the same
  Bench bench;
  const auto reader = bench.driver("reader", "s3cret", "?privilegelevel=USER");
  CHECK(bench.world.run(reader->power->readPower(bmc::Lane::polling)).power == Power::off);
  CHECK_THROWS_WITH(bench.world.run(reader->power->requestPower(bmc::Lane::operatorCommand, PowerAction::on, {})),
                    Catch::Contains("privilegelevel"));
  CHECK(bench.journal().empty());
}

TEST_CASE("nobody answers") {
  Bench bench;
  bench.port = freePort(SOCK_DGRAM);
  const auto driver = bench.driver();
  CHECK(bench.failure(*driver) == Error::Code::unreachable);
}

TEST_CASE("an agent's session switches a real IPMI host, and reports what it reads") {
  Bench bench;
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
  Bench bench;
  SessionBench session(bench.world, bench.address(), "admin", "wrong");
  CHECK(session.factsWhen([](const auto& facts) { return !facts.bmcErrorCode.empty(); }).bmcErrorCode ==
        "authentication-failed");
  CHECK(session.command("on").errorCode == "locked-out");
  CHECK(bench.journal().empty());
}
