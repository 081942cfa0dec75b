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

TEST_CASE("hardware is asked for a few times a day, of hosts whose protocol tells it") {
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  CHECK(fleet.lastGrant.value().inventoryPollMs == 6 * 3600 * 1000);
  fleet.run(fleet.client->patchStatus<api::BareMetalHost>(
      hardwareHost, json::parse(R"({"status":{"operationalStatus":"detached"}})")));
  fleet.patchHost(0, R"({"spec":{"bmc":{"address":"ipmi://10.9.9.9"}}})");
  fleet.clock.advance(5s);
  REQUIRE(fleet.lastGrant->address == "ipmi://10.9.9.9");
  CHECK(fleet.lastGrant->inventoryPollMs == 0);
}

TEST_CASE("hardware that is not what it was is told as an Event, and kept as it is now") {
  ToldHardware fleet;
  fleet.tell(withDisks({"d0", "d1"}));
  fleet.tell(withDisks({"d1", "d0"}));
  CHECK(fleet.events.pending() == 0);
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
}

TEST_CASE("the health of memory, processors and drives is a gauge, what is not well first") {
  ToldHardware fleet;
  bmc::Inventory inventory;
  for (int i = 0; i < 100; ++i)
    inventory.components.push_back({.kind = "memory", .name = fmt::format("DIMM {}", i), .health = "OK"});
  inventory.components.push_back({.kind = "drive", .name = "Disk.0", .health = "Critical"});
  inventory.components.push_back({.kind = "drive", .name = "Disk.0", .health = "OK"});
  inventory.components.push_back({.kind = "fan", .name = "Fan 1", .health = "OK"});
  inventory.components.push_back({.kind = "processor", .name = "CPU 1", .health = ""});
  fleet.tell(inventory);
  const auto text = fleet.gauges();
  CHECK(text.find(R"(bmh_component_state{namespace="metal",host="host-0",component="Disk.0",kind="drive"} 2)") !=
        std::string::npos);
  CHECK(text.find(R"(component="DIMM 0",kind="memory"} 0)") != std::string::npos);
  CHECK(text.find("Fan 1") == std::string::npos);
  CHECK(text.find("CPU 1") == std::string::npos);
  std::size_t lines = 0;
  for (auto at = text.find("bmh_component_state{"); at != std::string::npos;
       at = text.find("bmh_component_state{", at + 1))
    ++lines;
  CHECK(lines == bmc::mostParts);
}

TEST_CASE("what was not read whole changes nothing, and takes the place of nothing unless somebody wants it now") {
  HardwareBook book;
  auto partial = withDisks({});
  partial.unread = {"/Storage: HTTP 500"};
  CHECK(book.take("u1", hardwareHost, partial, hardwareReadAt, false).texts.empty());
  CHECK(book.take("u1", hardwareHost, withDisks({"d0"}), hardwareReadAt, false).texts.empty());
  CHECK(book.take("u1", hardwareHost, partial, hardwareReadAt + 1h, false).texts.empty());
  CHECK(book.find(hardwareHost, hardwareReadAt + 1h)->age == 1h);
  CHECK(book.take("u1", hardwareHost, withDisks({"d1"}), hardwareReadAt + 2h, false).texts.size() == 2);
  CHECK(book.take("u1", hardwareHost, partial, hardwareReadAt + 3h).texts.empty());
  CHECK(book.find(hardwareHost, hardwareReadAt + 3h)->age == 0h);
}
