#include "sim/ipmi/bmc.hpp"
#include "sim/ipmi/chassis.hpp"
#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using sim::Reset;
using tests::SimBench;
using namespace std::chrono_literals;

TEST_CASE("what each reset does to a server that is on or off") {
  struct Row {
    Reset reset;
    bool on;
    std::string steps;
  };
  const Row rows[] = {
      {Reset::on, false, "on"},
      {Reset::on, true, ""},
      {Reset::forceOff, true, "off"},
      {Reset::forceOff, false, ""},
      {Reset::gracefulShutdown, true, "off"},
      {Reset::forceRestart, true, "off on"},
      {Reset::forceRestart, false, "on"},
      {Reset::powerCycle, true, "off on"},
      {Reset::gracefulRestart, true, "off on"},
      {Reset::pushPowerButton, false, "on"},
      {Reset::pushPowerButton, true, "off"},
      {Reset::nmi, true, ""},
      {Reset::fullPowerCycle, true, ""},
  };
  for (const auto& row : rows) {
    INFO(json::textOf(row.reset) << (row.on ? " while on" : " while off"));
    std::string steps;
    for (const auto& step : sim::planReset(row.reset, row.on, {}))
      steps += (steps.empty() ? "" : " ") + std::string(step.on ? "on" : "off");
    CHECK(steps == row.steps);
  }
}

TEST_CASE("a newer power request replaces one that is not done") {
  SimBench bench;
  REQUIRE(bench.machine.reset(Reset::on) == sim::ResetAnswer::accepted);
  bench.pass(100ms);
  REQUIRE(bench.machine.reset(Reset::forceOff) == sim::ResetAnswer::accepted);
  bench.pass(1min);
  REQUIRE_FALSE(bench.machine.on());
}

TEST_CASE("an NMI reaches what runs, and no power request that is under way ends for it") {
  SimBench bench;
  (void)bench.machine.reset(Reset::on);
  REQUIRE(bench.machine.reset(Reset::nmi) == sim::ResetAnswer::accepted);
  bench.pass(1s);
  CHECK(bench.machine.on());
  REQUIRE(bench.machine.reset(Reset::nmi) == sim::ResetAnswer::accepted);
  std::string told;
  for (const auto& entry : bench.journal.since(0))
    if (entry.action == "nmi") told += "[" + entry.detail + "]";
  CHECK(told == "[nothing runs][]");
}

TEST_CASE("a full power cycle takes the BMC along; what the host does then is set") {
  SimBench bench;
  (void)bench.machine.reset(Reset::on);
  bench.pass(1s);
  REQUIRE(bench.machine.reset(Reset::fullPowerCycle) == sim::ResetAnswer::accepted);
  CHECK_FALSE(bench.machine.on());
  CHECK(bench.machine.bmcIsAway());
  bench.pass(10s);
  CHECK_FALSE(bench.machine.bmcIsAway());
  CHECK(bench.machine.on() == bench.machine.spec().powerOnAfterCord);
}

TEST_CASE("a system that hangs ignores the button, and the hardware does not") {
  struct Row {
    Reset reset;
    bool obeyed;
  };
  const Row rows[] = {{Reset::gracefulShutdown, false}, {Reset::gracefulRestart, false},
                      {Reset::pushPowerButton, false},  {Reset::forceOff, true},
                      {Reset::forceRestart, true},      {Reset::powerCycle, true}};
  for (const auto& row : rows) {
    INFO(json::textOf(row.reset));
    SimBench bench;
    bench.machine.disks[0].write(510, "\x55\xaa");
    (void)bench.machine.reset(Reset::on);
    bench.pass(1s);
    bench.machine.setFault(sim::Fault::osHang, true);
    const auto before = bench.journal.since(0).size();
    REQUIRE(bench.machine.reset(row.reset) == sim::ResetAnswer::accepted);
    bench.pass(1min);
    CHECK((bench.journal.since(0).size() > before) == row.obeyed);
  }
}

TEST_CASE("a system that hangs does not put off a power-off, and a ramdisk is another system") {
  SimBench bench;
  (void)bench.machine.reset(Reset::on);
  bench.pass(1s);
  REQUIRE(bench.machine.bootedFrom() == sim::BootDevice::pxe);
  bench.machine.setFault(sim::Fault::osHang, true);
  (void)bench.machine.reset(Reset::gracefulShutdown);
  bench.pass(1min);
  CHECK_FALSE(bench.machine.on());
  bench.machine.disks[0].write(510, "\x55\xaa");
  (void)bench.machine.reset(Reset::on);
  bench.pass(1s);
  (void)bench.machine.reset(Reset::forceOff);
  (void)bench.machine.reset(Reset::gracefulShutdown);
  bench.pass(1min);
  CHECK_FALSE(bench.machine.on());
}

TEST_CASE("without an override a disk that can boot comes first, then the network") {
  SimBench bench;
  (void)bench.machine.reset(Reset::on);
  bench.pass(300ms);
  REQUIRE(bench.machine.bootedFrom() == sim::BootDevice::pxe);
  bench.machine.disks[0].write(510, "\x55\xaa");
  (void)bench.machine.reset(Reset::forceRestart);
  bench.pass(500ms);
  REQUIRE(bench.machine.bootedFrom() == sim::BootDevice::hdd);
}

TEST_CASE("a disk is a sparse file of its full size that cannot be overrun") {
  SimBench bench;
  auto& disk = bench.machine.disks[0];
  REQUIRE_FALSE(std::filesystem::exists(disk.path()));
  disk.write(disk.size() - 4, "tail");
  REQUIRE(std::filesystem::file_size(disk.path()) == disk.size());
  REQUIRE(disk.read(disk.size() - 4, 4) == "tail");
  REQUIRE(disk.read(0, 2) == std::string(2, '\0'));
  REQUIRE_THROWS_WITH(disk.write(disk.size() - 1, "xy"), Catch::Contains("is full"));
  disk.eraseTables();
  REQUIRE(disk.read(disk.size() - 4, 4) == std::string(4, '\0'));
}

TEST_CASE("machines left without settings differ where they must") {
  const auto first = sim::completed({}, 0), second = sim::completed({}, 1), far = sim::completed({}, 999);
  REQUIRE(first.name != second.name);
  REQUIRE(first.address == "127.1.0.1");
  REQUIRE(far.address == "127.1.3.250");
  REQUIRE(first.uuid != second.uuid);
  REQUIRE(first.nics[0].mac != second.nics[0].mac);
}

TEST_CASE("ipmi_sim's chassis words read and change the machine") {
  SimBench bench;
  const auto control = [&](std::vector<std::string> words) {
    return sim::ipmi::chassisControl(bench.machine, bench.journal, words);
  };
  REQUIRE(control({"get", "power", "boot"}).text == "power:0\nboot:none\n");
  REQUIRE(control({"set", "boot", "pxe"}).exitCode == 0);
  REQUIRE(control({"set", "power", "1"}).exitCode == 0);
  bench.pass(1s);
  REQUIRE(control({"get", "power", "boot"}).text == "power:1\nboot:pxe\n");
  REQUIRE(control({"set", "boot", "default"}).exitCode == 0);
  REQUIRE(control({"set", "reset", "1"}).exitCode == 0);
  bench.pass(1s);
  REQUIRE(bench.machine.bootedFrom() == sim::BootDevice::hdd);
  REQUIRE(control({"set", "boot", "tape"}).exitCode == 1);
  REQUIRE(control({"frobnicate"}).exitCode == 2);
  bench.machine.setFault(sim::Fault::cordOut, true);
  REQUIRE(control({"set", "power", "1"}).exitCode == 1);
}

TEST_CASE("ipmi_sim's configuration names the machine's address, account and chassis program") {
  const auto spec = sim::completed({.name = "a"}, 0);
  const auto text =
      sim::ipmi::lanConfiguration(spec, "s3cret", {.folder = "/x", .chassisCommand = "/bin/sim chassis", .port = 6230});
  REQUIRE_THAT(text, Catch::Contains("addr 127.1.0.1 6230"));
  REQUIRE_THAT(text, Catch::Contains("chassis_control \"/bin/sim chassis\""));
  REQUIRE_THAT(text, Catch::Contains("user 2 true \"admin\" \"s3cret\" admin"));
}
