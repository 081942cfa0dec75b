// What agents tell of the hardware of hosts, and what becomes of it.
#include "coordinator/agents/hardware_book.hpp"

#include "kube/core/event.hpp"
#include "tests/coordinator/agents/fleet.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::HardwareBook;

namespace {

const kube::ObjectKey hardwareHost{"metal", "host-0"};
const base::MonoTime hardwareReadAt{12h};

bmc::Inventory withDisks(std::initializer_list<const char*> serials) {
  bmc::Inventory inventory{.serialNumber = "S1"};
  for (const auto* serial : serials) inventory.disks.push_back({.name = serial, .serialNumber = serial});
  return inventory;
}

struct ToldHardware : tests::Fleet {
  ToldHardware() : Fleet(1) {
    approve();
    clock.advance(5s);
    facts.host = uid(0);
    facts.term = lastGrant.value().token.term;
    facts.lease = lastGrant->token.lease;
  }
  void tell(bmc::Inventory inventory) {
    facts.inventory = std::move(inventory);
    say(facts);
    clock.advance(1s);
  }
  [[nodiscard]] std::string gauges() const {
    std::string out;
    readings.write(out, clock.now());
    return out;
  }
  std::vector<kube::Event> published() {
    std::vector<kube::Event> all;
    tasks.spawn("events", events.run());
    run(events.flushed());
    for (auto& event : run(client->list<kube::Event>({.namespace_ = "metal"})))
      if (event.reason == "HardwareChanged") all.push_back(std::move(event));
    return all;
  }

  wire::HardwareFacts facts;
};

}  // namespace

TEST_CASE("hardware is asked for a few times a day, and once a day behind IPMI, which tells little of it") {
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  CHECK(fleet.lastGrant.value().inventoryPollMs == 6LL * 3600 * 1000);
  fleet.run(fleet.client->patchStatus<api::BareMetalHost>(
      hardwareHost, json::parse(R"({"status":{"operationalStatus":"detached"}})")));
  fleet.patchHost(0, R"({"spec":{"bmc":{"address":"ipmi://10.9.9.9"}}})");
  fleet.clock.advance(5s);
  REQUIRE(fleet.lastGrant->address == "ipmi://10.9.9.9");
  CHECK(fleet.lastGrant->inventoryPollMs == 24LL * 3600 * 1000);
}

TEST_CASE("hardware that is not what it was is told as an Event, and kept as it is now") {
  ToldHardware fleet;
  fleet.tell(withDisks({"d0", "d1"}));
  fleet.tell(withDisks({"d1", "d0"}));
  CHECK(fleet.events.pending() == 0);
  fleet.clock.advance(2min);
  fleet.facts.ageMs = 60'000;
  fleet.tell(withDisks({"d0"}));
  CHECK(fleet.events.pending() == 1);
  const auto told = fleet.hardware.find(hardwareHost, fleet.clock.now());
  REQUIRE(told);
  CHECK(told->age >= 61s);
  CHECK(told->age < 70s);
  CHECK(json::parse(told->inventory).at("disks").as_array().size() == 1);
  const auto events = fleet.published();
  REQUIRE(events.size() == 1);
  CHECK(events[0].type == "Warning");
  CHECK(events[0].message == "disk d1 is gone");
  CHECK(events[0].involvedObject.name == "host-0");
}

TEST_CASE("many changes are one Event, which names the first of them") {
  ToldHardware fleet;
  fleet.tell(withDisks({"d0"}));
  fleet.tell(withDisks({"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"}));
  const auto events = fleet.published();
  REQUIRE(events.size() == 1);
  CHECK(events[0].type == "Normal");
  CHECK(
      events[0].message ==
      "disk d1 is new; disk d2 is new; disk d3 is new; disk d4 is new; disk d5 is new; disk d6 is new; and 2 more: see "
      "ingotctl inventory");
}

TEST_CASE("hardware is believed of the agent that serves the host, with the access that it has") {
  ToldHardware fleet;
  const auto lease = fleet.facts.lease;
  for (const auto wrong : {lease + 1, std::int64_t{0}}) {
    fleet.facts.lease = wrong;
    fleet.tell(withDisks({"d0"}));
    CHECK_FALSE(fleet.hardware.find(hardwareHost, fleet.clock.now()));
  }
  fleet.facts.lease = lease;
  fleet.tell(withDisks({"d0"}));
  CHECK(fleet.hardware.find(hardwareHost, fleet.clock.now()));
}

TEST_CASE("the health of memory, processors and drives is a gauge, what is not well first") {
  ToldHardware fleet;
  bmc::Inventory inventory;
  for (int i = 0; i < 100; ++i)
    inventory.components.push_back({.kind = "memory", .name = fmt::format("DIMM {}", i), .health = "OK"});
  inventory.components.push_back({.kind = "drive", .name = "Disk.0", .health = "OK"});
  inventory.components.push_back({.kind = "drive", .name = "Disk.0", .health = "Critical"});
  inventory.components.push_back({.kind = "drive", .name = "Disk.0", .health = "Warning"});
  inventory.components.push_back({.kind = "fan", .name = "Fan 1", .health = "OK"});
  inventory.components.push_back({.kind = "processor", .name = "CPU 1", .health = ""});
  fleet.tell(inventory);
  const auto text = fleet.gauges();
  CHECK(text.find(R"(bmh_component_state{namespace="metal",host="host-0",component="Disk.0",kind="drive"} 2)") !=
        std::string::npos);
  CHECK(text.find(R"(component="DIMM 0",kind="memory"} 0)") != std::string::npos);
  CHECK(text.find("Fan 1") == std::string::npos);
  CHECK(text.find("CPU 1") == std::string::npos);
  CHECK(text.find("Disk.0") == text.rfind("Disk.0"));
  fleet.clock.advance(5min);
  inventory.unread = {"/Memory: HTTP 503"};
  inventory.components.clear();
  fleet.tell(inventory);
  CHECK_THAT(fleet.gauges(), Catch::Contains("Disk.0"));  // the rest was not told
  std::size_t lines = 0;
  for (auto at = text.find("bmh_component_state{"); at != std::string::npos;
       at = text.find("bmh_component_state{", at + 1))
    ++lines;
  CHECK(lines == bmc::mostParts);
}

TEST_CASE("a part that fails is told of at once, also by a reading that leaves out others") {
  ToldHardware fleet;
  const auto state = [&](const char* part, int value) {
    return fleet.gauges().contains(fmt::format(R"(component="{}",kind="{}"}} {})", part,
                                               std::string_view(part).starts_with("DIMM") ? "memory" : "drive", value));
  };
  const auto inventoryOf = [](const char* dimm, bool hasDrives) {
    auto inventory = withDisks({"d0"});
    inventory.components.push_back({.kind = "memory", .name = "DIMM 1", .health = dimm});
    if (hasDrives) inventory.components.push_back({.kind = "drive", .name = "Disk.0", .health = "OK"});
    if (!hasDrives) inventory.unread = {"/Storage/RAID.1: HTTP 500"};
    return inventory;
  };
  fleet.tell(inventoryOf("OK", true));
  fleet.clock.advance(5min);
  fleet.tell(inventoryOf("Critical", false));
  CHECK(state("DIMM 1", 2));
  CHECK(state("Disk.0", 0));
  fleet.clock.advance(18h);
  fleet.heartbeat();
  fleet.tell(inventoryOf("Critical", false));
  CHECK(state("DIMM 1", 2));
  CHECK_FALSE(state("Disk.0", 0));  // nobody has seen it for three readings
}

TEST_CASE("what the BMC did not show this time changes nothing, and takes the place of nothing for a day") {
  HardwareBook book;
  const auto take = [&](bmc::Inventory inventory, base::Duration after, bool isOn = true) {
    return book.take("u1", hardwareHost, inventory, hardwareReadAt + after, isOn);
  };
  const auto known = [&] { return book.find(hardwareHost, hardwareReadAt + 30h)->inventory; };
  auto partial = withDisks({"d1"});
  partial.unread = {"/Storage: HTTP 500: no"};
  const auto whole = withDisks({"d0", "d1"});
  CHECK(take(partial, 0h).changes.texts.empty());
  CHECK(take(whole, 1h).changes.texts.empty());  // it is not new
  CHECK_FALSE(take(partial, 2h).isKept);
  CHECK_FALSE(take(withDisks({}), 2h).isKept);  // in POST
  CHECK_FALSE(take(withDisks({"d1"}), 3h, false).isKept);
  CHECK_FALSE(take(withDisks({"d1"}), 0h).isKept);  // read before, it came late
  CHECK_THAT(known(), Catch::Contains("d0"));
  CHECK(take(withDisks({"d1"}), 4h).changes.texts == std::vector<std::string>{"disk d0 is gone"});
  CHECK(take(partial, 29h).isKept);
  CHECK_THAT(known(), Catch::Contains("HTTP 500"));
}

TEST_CASE("what a BMC never shows hides no change of the rest") {
  HardwareBook book;
  auto before = withDisks({"d0", "d1"}), now = withDisks({"d0"});
  before.unread = {"/p: HTTP 404: no such resource"};
  now.unread = {"/p: HTTP 500: no"};
  static_cast<void>(book.take("u1", hardwareHost, before, hardwareReadAt));
  CHECK(book.take("u1", hardwareHost, now, hardwareReadAt + 1h).changes.texts.size() == 1);
}

TEST_CASE("the hardware of ten thousand hosts is kept") {
  HardwareBook book;
  bmc::Inventory inventory;
  for (int i = 0; i < 64; ++i)
    inventory.components.push_back(
        {fmt::format("/redfish/v1/Systems/1/Memory/{}", i), "memory", fmt::format("DIMM Slot {}", i), "Enabled", "OK"});
  for (int i = 0; i < 10'000; ++i) {
    inventory.serialNumber = fmt::format("S{}", i);
    static_cast<void>(book.take(inventory.serialNumber, {"metal", inventory.serialNumber}, inventory, hardwareReadAt));
  }
  CHECK(book.find({"metal", "S0"}, hardwareReadAt));
  CHECK(book.find({"metal", "S9999"}, hardwareReadAt));
}

TEST_CASE("what is told of intervals is what grants ask for") {
  using coordinator::agents::timingFor;
  CHECK(timingFor({.inventory = 0}).inventoryPollMs == 0);
  CHECK(timingFor({.inventory = 7200}).inventoryPollMs == 7'200'000);
  CHECK(timingFor({.inventory = 10}).inventoryPollMs == 60'000);
}
