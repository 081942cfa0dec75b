// What ipmi_sim's discrete sensors and FRU devices say of the hardware, as real ipmitool prints them.
#include "tests/integration/bmc_peers/ipmi/ipmi_sim.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

struct SimSensor {
  std::string name, entity;  // of table 43-13, "10.1"
  int type = 0, reading = 0;
  std::vector<int> asserted;
};

// Of each one record and the sensor behind it.
SimParts withSensors(const std::vector<SimSensor>& sensors) {
  SimParts parts;
  int number = 0;
  for (const auto& sensor : sensors) {
    ++number;
    const auto dot = sensor.entity.find('.');
    parts.records += fmt::format(
        "sdr type 2\n sensor_owner_id 0x20\n sensor_owner_lun 0\n channel_number 0\n sensor_number {}\n entity_id {}\n "
        "entity_instance {}\n init_scanning true\n default_sensor_scan_on true\n sensor_type {}\n "
        "event_reading_type_code {}\n id_string \"{}\"\nendsdr\n",
        number, sensor.entity.substr(0, dot), sensor.entity.substr(dot + 1), sensor.type, sensor.reading, sensor.name);
    const std::string all(15, '1');
    parts.commands += fmt::format(
        "sensor_add 0x20 0 {0} {1} {2}\nsensor_set_event_support 0x20 0 {0} enable scanning per-state {3} {3} {3} "
        "{3}\n",
        number, sensor.type, sensor.reading, all);
    for (const int bit : sensor.asserted)
      parts.commands += fmt::format("sensor_set_bit 0x20 0 {} {} 1 0\n", number, bit);
  }
  return parts;
}

std::string fruRecord(std::string_view name, int address, int device, int entity) {
  return fmt::format(
      "sdr type 0x11\n device_access_address {}\n fru_device_address {}\n logical_fru 1\n lun 0\n device_type 0x10\n "
      "device_type_modifier 0\n fru_entity_id {}\n fru_entity_instance 1\n id_string \"{}\"\nendsdr\n",
      address, device, entity, name);
}

constexpr int ofItsType = 0x6f, redundancy = 0x0b, presence = 0x08, vendors = 0x70;

}  // namespace

TEST_CASE("what discrete sensors of a real BMC assert is told of the part that they are of") {
  IpmiSim bench(true, withSensors({{"PS1 Status", "10.1", 0x08, ofItsType, {0}},
                                   {"PS2 Status", "10.2", 0x08, ofItsType, {0, 1, 3}},
                                   {"Drive Bay 1", "26.1", 0x0d, ofItsType, {0, 1}},
                                   {"Fan Redundancy", "30.1", 0x04, redundancy, {1}},
                                   {"Power Redundancy", "19.1", 0x09, redundancy, {0}},
                                   {"Chassis Intru", "23.1", 0x05, ofItsType, {0}},
                                   {"Cpu1 Status", "3.1", 0x07, ofItsType, {7, 10}},
                                   {"Dimm A1 Status", "32.1", 0x0c, ofItsType, {}},
                                   {"Critical Int", "7.1", 0x13, ofItsType, {4}},
                                   {"Fan1, front", "29.1", 0x04, presence, {0}},
                                   {"Some OEM thing", "7.1", 0xc5, vendors, {3}}}));
  const auto found = bench.world.run(bench.driver()->sensors->readSensors(bmc::Lane::polling));
  CHECK(found.raised == bmc::Health::critical);
  CHECK(found.sensors.unread.empty());
  CHECK(found.sensors.parts ==
        std::vector<bmc::Component>{
            {"", "power-supply", "PS2 Status", "Presence detected, Failure detected, Power Supply AC lost", "Critical"},
            {"", "drive", "Drive Bay 1", "Drive Present, Drive Fault", "Critical"},
            {"", "board", "Critical Int", "PCI PERR", "Critical"},
            {"", "redundancy", "Fan Redundancy", "Redundancy Lost", "Warning"},
            {"", "chassis", "Chassis Intru", "General Chassis intrusion", "Warning"},
            {"", "processor", "Cpu1 Status", "Presence detected, Throttled", "Warning"},
            {"", "power-supply", "PS1 Status", "Presence detected", "OK"},
            {"", "redundancy", "Power Redundancy", "Fully Redundant", "OK"},
            {"", "memory", "Dimm A1 Status", "", ""},
            {"", "fan", "Fan1, front", "Device Absent", ""}});
}

TEST_CASE("a failed power supply that the chassis status of a real BMC leaves out makes the host Critical") {
  IpmiSim bench(true, withSensors({{"PS2 Status", "10.2", 0x08, ofItsType, {0, 1}}}));
  CHECK(bench.world.run(bench.driver()->health->readHealth(bmc::Lane::polling)).health == bmc::Health::ok);
  SessionBench session(bench.world, bench.address(), "admin", "s3cret", "", 1000);
  session.factsWhen([](const auto& facts) { return facts.health == "OK"; });
  session.factsWhen([](const auto& facts) { return facts.health == "Critical"; });
}

TEST_CASE("the power supply of a real BMC that has a FRU of its own is told with its serial number") {
  IpmiSim bench(true, {.commands = simFru(0) + simFru(3) + simFru(4),
                       .records = fruRecord("Psu2 Device", 0x20, 3, 10) + fruRecord("Far Module", 0x30, 4, 8)});
  const auto found = bench.world.run(bench.driver()->inventory->readInventory(bmc::Lane::reconcile));
  CHECK(found.modules == std::vector<bmc::Module>{{"Psu2 Device", "power-supply", "ACME", "m1", "", "S1"}});
  CHECK(found.unread.empty());
  CHECK_FALSE(found.untold.empty());
}
