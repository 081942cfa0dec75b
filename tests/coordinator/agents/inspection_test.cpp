// spec.inspectionMode fast, read by the agent that serves the host.
#include "coordinator/agents/agent_inspection.hpp"
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

void inspect(Site& site) {
  site.patchHost("a", R"({"spec":{"inspectionMode":"fast"},"metadata":{"annotations":{"inspect.metal3.io":""}}})");
}

std::string serialOf(const Site& site) {
  const auto& hardware = site.host("a")->status.hardware;
  return hardware ? hardware->systemVendor.serialNumber : "";
}

// The BMC's hardware has begun to be read; what it is asked takes so long while `isSlow` (of the readings so far).
void beginSlowInspection(Site& site, base::Duration each, std::function<bool(int readings)> isSlow) {
  auto& bmc = site.bmc("10.0.0.1");
  bmc.before = [&site, &bmc, each, isSlow](const net::ServerRequest&) -> base::Task<void> {
    if (isSlow(bmc.inventories)) co_await site.runtime.clock.sleepFor(each);
  };
  bmc.moreOfSystem = R"(,"Storage":{"@odata.id":"/redfish/v1/Systems/1/Storage"})";
  inspect(site);
  REQUIRE(site.until([&] { return bmc.inventories == 1; }, 1min));
}

bool isInspected(Site& site, const std::string& serial, base::Duration limit = 1min) {
  return site.until(
      [&] {
        return serialOf(site) == serial && site.settled("a") &&
               !site.host("a")->metadata.annotations.contains("inspect.metal3.io");
      },
      limit);
}

}  // namespace

TEST_CASE("the agent's inventory is the inspection: in seconds, without a ramdisk or a verb of Ironic") {
  Site site;
  restingHost(site);
  site.ironic.clearJournal();
  inspect(site);
  CHECK(isInspected(site, "S1"));
  for (const auto& request : site.ironic.journal()) CHECK_FALSE(request.path.ends_with("/states/provision"));
  CHECK(site.resets("10.0.0.1") == 0);
  CHECK(site.eventMessages("metal", "InspectionStarted").size() == 1);
  CHECK(site.eventMessages("metal", "InspectionComplete").size() == 1);
}

TEST_CASE("a BMC that hides a part of its hardware is inspected, and an Event names it") {
  Site site(Site::With::fixture);
  restingHost(site);
  site.bmc("10.0.0.1").moreOfSystem = R"(,"Storage":{"@odata.id":"/redfish/v1/Systems/1/Storage"})";
  inspect(site);
  CHECK(isInspected(site, "S1"));
  const auto told = site.eventMessages("metal", "InspectionIncomplete");
  REQUIRE(told.size() == 1);
  CHECK(told.front() ==
        "the BMC did not show all of the hardware: https://10.0.0.1/redfish/v1/Systems/1/Storage: HTTP 404: no such "
        "resource");
}

TEST_CASE("an inspection that fails is told, and heals with the BMC") {
  Site site(Site::With::fixture);
  restingHost(site);
  site.bmc("10.0.0.1").moreOfSystem = R"(,"Storage":{"@odata.id":"/redfish/v1/Systems/1/Storage"})";
  site.bmc("10.0.0.1").instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().ends_with("/Storage")) return std::nullopt;
    return net::HttpResponse{.status = 0};
  };
  inspect(site);
  REQUIRE(site.until([&] { return site.host("a")->status.errorType == "inspection error"; }, 2min));
  CHECK_THAT(site.host("a")->status.errorMessage,
             Catch::Contains("the BMC's inventory could not be read: ") && Catch::Contains("10.0.0.1"));
  site.bmc("10.0.0.1").instead = nullptr;
  site.bmc("10.0.0.1").moreOfSystem.clear();
  CHECK(isInspected(site, "S1", 30min));
  CHECK(site.host("a")->status.errorMessage.empty());
}

TEST_CASE("the inventory is asked for again when the agent was restarted, or the link was cut") {
  bool isSlow = true;
  Site site(Site::With::fixture);
  restingHost(site);
  beginSlowInspection(site, 40s, [&isSlow](int readings) { return isSlow && readings > 0; });
  const auto restart = GENERATE(true, false);
  restart ? site.killAgent("near") : site.cut("near");
  site.pass(30s);
  isSlow = false;
  restart ? site.startAgent("near") : site.mend("near");
  CHECK(isInspected(site, "S1", 5min));
}

TEST_CASE("an agent that stays away leaves the inspection to the backend") {
  Site site(Site::With::fixture);
  restingHost(site);
  beginSlowInspection(site, 40s, [](int readings) { return readings > 0; });
  site.killAgent("near");
  CHECK(site.until([&] { return site.state("a") == "available" && !serialOf(site).empty(); }, 5min));
  CHECK(serialOf(site) != "S1");
}

TEST_CASE("a coordinator that comes after one that asked waits for its agent, and asks again") {
  Site site(Site::With::fixture);
  restingHost(site);
  beginSlowInspection(site, 20s, [](int readings) { return readings == 1; });
  site.killCoordinator();
  site.cut("near");
  site.startCoordinator();
  site.pass(5s);
  site.mend("near");
  CHECK(isInspected(site, "S1", 5min));
}

TEST_CASE("an inventory that was asked for with another password is asked for anew") {
  Site site(Site::With::fixture);
  restingHost(site);
  beginSlowInspection(site, 20s, [](int readings) { return readings == 1; });
  site.bmc("10.0.0.1").password = "another";
  site.bmc("10.0.0.1").expireSessions();
  site.setPassword("a", "another");
  CHECK(isInspected(site, "S1", 5min));
  CHECK(site.bmc("10.0.0.1").inventories > 1);
}

TEST_CASE("of an inventory that no machine can have so much is kept as one can") {
  coordinator::agents::InventoryBook book(3);
  wire::InventoryResult told{.host = "u", .id = book.ask("u", "near", "p", base::MonoTime{1h}).id, .outcome = "done"};
  auto& found = told.inventory;
  found.networkCards.resize(600);
  found.networkCards.front() = {.name = std::string(50'000, 'x'), .addresses = std::vector<std::string>(40'000)};
  found.disks.resize(600);
  found.disks.front().wwn = std::string(50'000, 'x');
  found.unread.assign(600, std::string(50'000, 'x'));
  found.firmware.assign(600, {.version = std::string(1000, 'x')});
  found.pcieDevices.assign(600, {.functions = std::vector<bmc::PcieFunction>(9, {.vendorId = std::string(1000, 'x')})});
  found.components.assign(600, {.path = std::string(1000, 'x')});
  REQUIRE(book.answered("near", told));
  const auto& kept = book.find("u")->result->inventory;
  CHECK(kept.networkCards.size() == 512);
  CHECK(kept.networkCards.front().name.size() == 256);
  CHECK(kept.networkCards.front().addresses.size() == 8);
  CHECK(kept.disks.size() == 512);
  CHECK(kept.disks.front().wwn.size() == 256);
  CHECK(kept.unread.back().size() == 256);
  CHECK(kept.firmware.size() == bmc::mostFirmware);
  CHECK(kept.firmware.front().version.size() == 256);
  CHECK(kept.pcieDevices.size() == bmc::mostPcieDevices);
  CHECK(kept.pcieDevices.front().functions.size() == bmc::mostPcieFunctions);
  CHECK(kept.pcieDevices.front().functions.front().vendorId.size() == 256);
  CHECK(kept.components.size() == bmc::mostComponents);
  CHECK(kept.components.front().path.size() == 256);
}

TEST_CASE("another mode, no agent, or a node that is at work: the backend inspects") {
  Site site;
  restingHost(site);
  SECTION("another mode") {
    site.patchHost("a", R"({"spec":{"inspectionMode":"agent"},"metadata":{"annotations":{"inspect.metal3.io":""}}})");
  }
  SECTION("a node at work") {
    site.patchHost("a", R"({"spec":{"inspectionMode":"agent"},"metadata":{"annotations":{"inspect.metal3.io":""}}})");
    REQUIRE(site.until([&] { return std::ranges::count(site.ironic.verbs(), "inspect") == 1; }, 2min));
    site.patchHost("a", R"({"spec":{"inspectionMode":"fast"}})");
    site.pass(5s);
  }
  SECTION("no agent") {
    site.stopAgent("near");
    site.pass(30s);
    inspect(site);
  }
  CHECK(site.until([&] { return std::ranges::count(site.ironic.verbs(), "inspect") == 1; }, 2min));
  CHECK(site.bmc("10.0.0.1").inventories == 0);
}

TEST_CASE("what an agent tells of another one's host is no inventory of it") {
  coordinator::agents::InventoryBook book(3);
  const auto now = base::MonoTime{1h};
  const auto id = book.ask("u", "near", "peer-1", now).id;
  CHECK_FALSE(book.answered("far", {.host = "u", .id = id, .outcome = "done"}));
  CHECK_FALSE(book.answered("near", {.host = "u", .id = id - 1, .outcome = "done"}));
  CHECK_FALSE(book.answered("near", {.host = "other", .id = id, .outcome = "done"}));
  CHECK(book.answered("near", {.host = "u", .id = id, .outcome = "done"}));
  CHECK_FALSE(book.answered("near", {.host = "u", .id = id, .outcome = "failed"}));  // once
  CHECK(coordinator::agents::InventoryBook(4).ask("u", "near", "p", now).id > book.ask("u", "near", "p", now).id);
}

TEST_CASE("a network card has an entry for each address, and a disk its kind") {
  const auto details = coordinator::agents::hardwareDetails(
      {.manufacturer = "ACME",
       .biosVersion = "2.1",
       .memoryMib = 1024,
       .processors = {.architecture = "x86_64", .megahertz = 2100, .threads = 8},
       .networkCards = {{.name = "n1",
                         .mac = "m1",
                         .megabitsPerSecond = 25000,
                         .addresses = {"10.0.0.7", "fd00::7"},
                         .vlanId = 7,
                         .neighbour = {.switchId = "s", .portId = "p", .systemName = "leaf1"}},
                        {.name = "n2", .mac = "m2", .megabitsPerSecond = 100, .vlanId = 5000}},
       .disks = {{.name = "d1", .kind = "HDD", .bytes = 7}, {.name = "d2"}},
       .biosReleaseDate = "2025-11-30"});
  REQUIRE(details.nics.size() == 3);
  CHECK(details.nics.at(0).ip == "10.0.0.7");
  CHECK(details.nics.at(1).ip == "fd00::7");
  CHECK(details.nics.at(1).speedGbps == 25);
  CHECK(details.nics.at(2).name == "n2");
  CHECK(details.storage.at(0).rotational);
  CHECK(details.storage.at(1).type.empty());
  CHECK(details.cpu.count == 8);
  for (const auto at : {0u, 1u}) {
    CHECK(details.nics.at(at).vlanId == 7);
    REQUIRE(details.nics.at(at).lldp);
    CHECK(*details.nics.at(at).lldp == api::Lldp{.portID = "p", .switchID = "s", .switchSystemName = "leaf1"});
  }
  CHECK(details.nics.at(2).vlanId == 0);
  CHECK_FALSE(details.nics.at(2).lldp);
  CHECK(details.firmware.bios == api::Bios{.date = "2025-11-30", .vendor = "ACME", .version = "2.1"});
  CHECK(coordinator::agents::hardwareDetails({}).firmware.bios == api::Bios{});
}

TEST_CASE("an inventory that cannot tell of disks is no inspection that has found none") {
  const auto whole = coordinator::agents::inspected({.serialNumber = "S1", .unread = {"/x: HTTP 500"}});
  CHECK(std::get<api::HardwareDetails>(whole.found).systemVendor.serialNumber == "S1");
  CHECK(whole.unread.size() == 1);
  const auto partial = coordinator::agents::inspected({.serialNumber = "S1", .untold = {"processors", "disks"}});
  CHECK(std::get<coordinator::host::Refused>(partial.found).message ==
        "the BMC cannot tell processors, disks by the protocol of its address");
}
