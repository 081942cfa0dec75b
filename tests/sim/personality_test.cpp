// The BMCs of the vendors as the simulator has them: first what they are, then that our client gets along with each.
#include "sim/redfish/personality.hpp"
#include "bmc/boot_preparation.hpp"
#include "bmc/drive_erasure.hpp"
#include "bmc/erasure_record.hpp"
#include "tests/sim/driven.hpp"

#include <catch2/catch.hpp>

#include <exception>
#include <set>

using namespace ingot;
using bmc::PowerAction;
using sim::Personality;
using tests::Driven;
using namespace std::chrono_literals;

namespace {

constexpr auto image = "https://images.example/deploy.iso";

std::vector<Personality> vendors() {
  std::vector<Personality> all;
  for (const auto& name : namesOf(Personality()))
    if (name.value != Personality::plain) all.push_back(name.value);
  return all;
}

sim::MachineSpec specOf(Personality personality) {
  return {.personality = personality,
          .disks = {{}, {.rotational = true}},
          .timing = {.boot = 20'000, .task = 20'000, .settle = 35'000}};
}

struct OfVendor : Driven {
  explicit OfVendor(sim::MachineSpec spec)
      : Driven(std::move(spec)), traits(sim::redfish::traitsOf(machine.spec().personality)) {}
  explicit OfVendor(Personality personality) : OfVendor(specOf(personality)) {}
  ~OfVendor() {
    if (std::uncaught_exceptions() > 0) return;  // of a check that failed: what it left is not told on top
    run(driver->close());
    UNSCOPED_INFO(json::textOf(machine.spec().personality));
    CHECK(json::intAt(get("/redfish/v1/SessionService/Sessions"), {"Members@odata.count"}) == 0);
  }
  bmc::BootLasts prepare(bmc::BootDevice device, std::string iso = {}) {
    return run(bmc::prepareBoot({*driver->power, *driver->boot, driver->media}, bmc::Lane::reconcile,
                                {.image = std::move(iso), .setting = {.device = device, .mode = bmc::BootMode::uefi}},
                                {}));
  }
  std::string own(std::string_view path) { return sim::redfish::ownPath(traits, path); }
  std::size_t count(std::string_view action) {
    return std::ranges::count_if(changes(), [&](const auto& one) { return one.starts_with(action); });
  }

  const sim::redfish::Traits& traits;
};

std::string withoutSlash(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  return path;
}

void collectPaths(const json::Value& value, std::vector<std::string>& into) {
  if (value.is_array())
    for (const auto& item : value.get_array()) collectPaths(item, into);
  if (value.is_object())
    for (const auto& [name, member] : value.get_object()) collectPaths(member, into);
  if (value.is_string() && value.get_string().starts_with("/redfish/v1")) into.emplace_back(value.get_string());
}

bool isAction(const std::string& path) { return path.contains("/Actions/") || path.contains("TaskMonitors"); }

}  // namespace

TEST_CASE("the tree of a vendor's BMC has that vendor's paths, and no other") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  std::vector<std::string> open{"/redfish/v1/"};
  std::set<std::string> seen;
  while (!open.empty()) {
    const auto path = open.back();
    open.pop_back();
    if (path.contains("$metadata") || path.contains("/SSE") || isAction(path) || !seen.insert(path).second) continue;
    INFO(path);
    const auto response = bench.send("GET", path);
    REQUIRE(response.status == 200);
    const auto body = json::parse(response.body);
    CHECK(sim::redfish::plainPath(bench.traits, path));
    if (const auto id = json::textAt(body, {"Id"}); !id.empty() && path != "/redfish/v1/" && !path.contains("Service"))
      CHECK(withoutSlash(path).ends_with("/" + id));
    collectPaths(body, open);
  }
  CHECK(seen.size() > 25);
  for (const auto& [plain, own] : bench.traits.paths) {
    INFO(plain);
    if (plain.contains("Floppy") || plain.contains("Settings")) continue;  // what not each of them has
    CHECK(bench.send("GET", std::string(own)).status == 200);
    if (sim::redfish::plainPath(bench.traits, plain)) continue;
    const auto missing = bench.send("GET", std::string(plain));
    CHECK(missing.status == 404);
    CHECK(missing.body.contains(plain));
  }
}

TEST_CASE("the client knows whose BMC it is, and what is in the machine") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  const auto identity = bench.run(bench.driver->identity->identify(bmc::Lane::polling));
  const std::map<Personality, std::string> vendors{
      {Personality::idrac9, "dell"}, {Personality::idrac10, "dell"}, {Personality::ilo5, "hpe"},
      {Personality::ilo6, "hpe"},    {Personality::xcc, "lenovo"},   {Personality::supermicro, "supermicro"},
      {Personality::openbmc, ""},    {Personality::ami, "ami"}};
  CHECK(identity.vendor == vendors.at(personality));
  CHECK(identity.serialNumber == "SIM000001");
  CHECK(identity.model == bench.machine.spec().model);
  CHECK(identity.bmcFirmware == bench.machine.spec().bmcFirmware);
  const auto hardware = bench.run(bench.driver->inventory->readInventory(bmc::Lane::reconcile));
  CHECK(hardware.unread.empty());
  CHECK(hardware.serialNumber == "SIM000001");
  CHECK(hardware.disks.size() == 2);
  REQUIRE(hardware.networkCards.size() == 1);
  const auto& card = hardware.networkCards.front();
  CHECK(card.model == "Ingot Simulated NIC");
  CHECK(card.link == "up");
  CHECK(card.neighbour == bmc::LldpNeighbour{"02:00:00:00:00:01", "Ethernet1/1", "sim-leaf"});
  CHECK(hardware.biosReleaseDate == "2026-01-01");
  CHECK(std::ranges::count(hardware.firmware, identity.bmcFirmware, &bmc::Firmware::version) == 1);
  REQUIRE(hardware.pcieDevices.size() == 2);
  for (const auto& device : hardware.pcieDevices) {
    REQUIRE(device.functions.size() == 1);
    CHECK(device.functions.front().vendorId == "0x1af4");
  }
  for (const auto* kind : {"memory", "processor", "drive"})
    CHECK(std::ranges::count(hardware.components, kind, &bmc::Component::kind) >= 1);
}

TEST_CASE("the client reads sensors and log of each vendor's BMC") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  const auto sensors = bench.run(bench.driver->sensors->readSensors(bmc::Lane::polling)).sensors;
  CHECK(sensors.unread.empty());
  for (const auto* kind : {"temperature", "fan", "voltage", "power"})
    CHECK(std::ranges::count(sensors.readings, kind, &bmc::Sensor::kind) >= 1);
  for (const auto& [kind, count] : {std::pair{"fan", 2}, {"power-supply", 2}, {"redundancy", 2}})
    CHECK(std::ranges::count(sensors.parts, kind, &bmc::Component::kind) == count);
  CHECK(std::ranges::all_of(sensors.parts, [](const auto& part) { return part.health == "OK"; }));
  bench.machine.logEvent("Critical", "Fan 2 stands");
  const auto logs = bench.run(bench.driver->logs->readLogs(bmc::Lane::background, {}));
  CHECK(logs.unread.empty());
  REQUIRE(logs.tails.size() == 1);
  CHECK(withoutSlash(logs.tails.front().log) == bench.own("/redfish/v1/Systems/1/LogServices/SEL"));
  REQUIRE(logs.tails.front().entries);
  CHECK(logs.tails.front().entries->back().message == "Fan 2 stands");
}

TEST_CASE("the client switches each vendor's machines, and none of its commands is lost") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  CHECK(bench.change(PowerAction::on).reading.power == bmc::Power::on);
  CHECK(bench.change(PowerAction::softOff).reading.power == bmc::Power::off);
  CHECK(bench.change(PowerAction::on).reading.power == bmc::Power::on);  // at once
  CHECK(bench.change(PowerAction::hardReboot).reading.power == bmc::Power::on);
  const auto onBefore = bench.machine.sinceOn();
  const bool hangs = personality == Personality::xcc;  // at ForceRestart
  if (hangs) {
    CHECK(bench.failure(PowerAction::hardRestart) == bmc::Error::Code::unsupported);
  } else {
    CHECK(bench.change(PowerAction::hardRestart).reading.power == bmc::Power::on);
    CHECK(bench.machine.sinceOn() < onBefore + 15s);
  }
  CHECK(bench.change(PowerAction::hardOff).reading.power == bmc::Power::off);
  CHECK_FALSE(bench.machine.on());
  CHECK(bench.count("reset GracefulShutdown") == 1);
  CHECK(bench.count("reset ForceOff") == 2);
  CHECK(bench.count("reset ForceRestart") == (hangs ? 0 : 1));
  const bool repeats = personality == Personality::idrac10;  // a refused one had no effect
  CHECK(bench.count("reset On") >= 3);
  CHECK((bench.count("reset On") == 3) != repeats);
}

TEST_CASE("the client sends an NMI where the vendor offers one, and says so where it does not") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  bench.change(PowerAction::on);
  if (personality != Personality::ami) {
    bench.change(PowerAction::nmi);
    CHECK(bench.machine.log.events().back().message == "NMI");
  } else {
    CHECK(bench.failure(PowerAction::nmi) == bmc::Error::Code::unsupported);
    CHECK(bench.count("reset Nmi") == 0);
  }
}

TEST_CASE("the client cycles the input power where the vendor has a way, and leaves the host on where it has none") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  bench.change(PowerAction::on);
  const std::set<Personality> can{Personality::idrac10, Personality::ilo5, Personality::ilo6, Personality::xcc,
                                  Personality::supermicro};
  if (can.contains(personality)) {
    CHECK(bench.change(PowerAction::acCycle).commandSent);
    CHECK(bench.machine.bmcBoots() == 1);
  } else {
    CHECK(bench.failure(PowerAction::acCycle) == bmc::Error::Code::unsupported);
    CHECK(bench.machine.on());
  }
}

TEST_CASE("the client has each vendor's machines boot a virtual CD once, in UEFI mode, and then their disk") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  auto spec = specOf(personality);
  spec.legacyBoot = true;
  OfVendor bench(std::move(spec));
  bench.prepare(bmc::BootDevice::cdrom, image);
  CHECK(bench.machine.cd.image == image);
  bench.change(PowerAction::on);
  CHECK(bench.machine.bootedFrom() == sim::BootDevice::cd);
  CHECK(bench.machine.boot.uefi);
  bench.change(PowerAction::hardReboot);
  CHECK(bench.machine.bootedFrom() != sim::BootDevice::cd);
  bench.change(PowerAction::hardOff);
  bench.prepare(bmc::BootDevice::disk);
  CHECK(bench.machine.cd.image.empty());
  CHECK(bench.machine.floppy.image.empty());
  bench.change(PowerAction::on);
  CHECK(bench.machine.bootedFrom() == sim::BootDevice::hdd);
}

TEST_CASE("the client changes image and boot device of a machine that is on") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  bench.change(PowerAction::on);
  bench.prepare(bmc::BootDevice::cdrom, image);
  bench.prepare(bmc::BootDevice::cdrom, "https://images.example/other.iso");
  CHECK(bench.machine.cd.image == "https://images.example/other.iso");
  bench.change(PowerAction::hardReboot);
  CHECK(bench.machine.bootedFrom() == sim::BootDevice::cd);
  bench.run(bench.driver->media->ejectMedia(bmc::Lane::reconcile, {}));
  CHECK(bench.run(bench.driver->media->insertedMedia(bmc::Lane::reconcile)).empty());
}

TEST_CASE("a Dell whose firmware boots a virtual CD by an import only does so") {
  const std::string firmware = GENERATE("5.10.50.00", "8.05.00.00");
  auto spec = specOf(Personality::idrac9);
  spec.bmcFirmware = firmware;
  OfVendor bench(std::move(spec));
  bench.prepare(bmc::BootDevice::cdrom, image);
  CHECK(bench.count("import-profile") == 1);
  bench.change(PowerAction::on);
  CHECK(bench.machine.bootedFrom() == sim::BootDevice::cd);
}

TEST_CASE("the client erases the drives where the vendor's BMC can, and says so where it cannot") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  bench.change(PowerAction::on);
  for (auto& disk : bench.machine.disks) disk.write(0, "data that must go");
  bmc::ErasureRecord record{.job = "1"};
  bmc::EraseOrder order{.machineSerial = "SIM000001", .depth = bmc::EraseDepth::full};
  for (const auto& disk : bench.machine.disks) order.known.push_back(disk.spec().serial);
  const auto erase = [&] {
    bench.run(bmc::eraseDrives({.clock = bench.clock,
                                .identity = *bench.driver->identity,
                                .drives = *bench.driver->erasure,
                                .cleaning = *bench.driver->cleaning,
                                .lane = bmc::Lane::reconcile,
                                .permit = {},
                                .save = []() -> base::Task<void> { co_return; },
                                .progressed = [] {},
                                .mayBegin = {}},
                               order, record));
  };
  if (personality == Personality::openbmc) {
    CHECK_THROWS_AS(erase(), bmc::Error);
    CHECK(bench.count("erase-drive") == 0);
    return;
  }
  erase();
  REQUIRE(record.drives.size() == 2);
  for (const auto& drive : record.drives) CHECK(drive.state == "erased");
  for (auto& disk : bench.machine.disks) CHECK(disk.read(0, 4) == std::string(4, '\0'));
  CHECK(bench.count("erase-drive") == 2);
}

TEST_CASE("a session that is lost is opened again, whatever the vendor answers to it") {
  const auto personality = GENERATE(from_range(vendors()));
  INFO(json::textOf(personality));
  OfVendor bench(personality);
  bench.change(PowerAction::on);
  bench.machine.setFault(sim::Fault::expireSessions, true);
  bench.get("/redfish/v1/Systems");
  bench.machine.setFault(sim::Fault::expireSessions, false);
  CHECK(bench.run(bench.driver->power->readPower(bmc::Lane::polling)).power == bmc::Power::on);
  CHECK(bench.count("login") == 2);
}
