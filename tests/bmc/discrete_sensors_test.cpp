// What discrete sensors tell over IPMI (spec/bmc.md §15.4, §15.7): rows as ipmitool 1.8.19 prints them.
#include "bmc/ipmi/discrete_states.hpp"
#include "bmc/ipmi/sensors.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Component;
using bmc::ipmi::discretePartIn;

namespace {

Component discretePart(std::string kind, std::string name, std::string state, std::string health) {
  return {.path = "",
          .kind = std::move(kind),
          .name = std::move(name),
          .state = std::move(state),
          .health = std::move(health)};
}

}  // namespace

TEST_CASE("a discrete sensor is a part with all its states, and as well as the worst of them", "[sensors][ipmi]") {
  const auto [line, expected] = GENERATE(table<std::string, Component>({
      {"PS1 Status,02h,ok,10.1,Presence detected",
       discretePart("power-supply", "PS1 Status", "Presence detected", "OK")},
      {"PS2 Status,03h,ok,10.2,Presence detected, Failure detected, Power Supply AC lost",
       discretePart("power-supply", "PS2 Status", "Presence detected, Failure detected, Power Supply AC lost",
                    "Critical")},
      {"PS2 Status,03h,ok,10.2,Presence detected, AC out-of-range, but present",
       discretePart("power-supply", "PS2 Status", "Presence detected, AC out-of-range, but present", "Warning")},
      {"HDD 0,04h,ok,26.1,Drive Present, Drive Fault",
       discretePart("drive", "HDD 0", "Drive Present, Drive Fault", "Critical")},
      {"HDD 1,04h,ok,15.1,Drive Present, Rebuild In Progress",
       discretePart("drive", "HDD 1", "Drive Present, Rebuild In Progress", "Warning")},
      {"Fans,05h,ok,30.1,Redundancy Lost", discretePart("redundancy", "Fans", "Redundancy Lost", "Warning")},
      {"Supplies,07h,ok,19.1,Non-Redundant: Insufficient Resources",
       discretePart("redundancy", "Supplies", "Non-Redundant: Insufficient Resources", "Critical")},
      {"Intrusion,06h,ok,7.1,General Chassis intrusion",
       discretePart("chassis", "Intrusion", "General Chassis intrusion", "Warning")},
      {"CPU1,08h,ok,3.1,Configuration Error", discretePart("processor", "CPU1", "Configuration Error", "Critical")},
      {"DIMM A1,09h,ok,32.1,Configuration Error", discretePart("memory", "DIMM A1", "Configuration Error", "Critical")},
      {"DIMM,09h,ok,7.1,Uncorrectable ECC", discretePart("memory", "DIMM", "Uncorrectable ECC", "Critical")},
      {"Crit Int,0Ah,ok,7.1,PCI PERR", discretePart("board", "Crit Int", "PCI PERR", "Critical")},
      {"Fan1,0Bh,ok,29.1,Device Absent", discretePart("fan", "Fan1", "Device Absent", "")},
      {"VRM,0Ch,ok,11.1,Transition to Critical from less severe",
       discretePart("other", "VRM", "Transition to Critical from less severe", "Critical")},
      {"Riser, left,0Dh,ok,29.2,Predictive Failure Asserted",
       discretePart("fan", "Riser, left", "Predictive Failure Asserted", "Warning")},
      {"PS Load,12,percent,ok,10.1,Limit Exceeded",
       discretePart("power-supply", "PS Load", "Limit Exceeded", "Warning")},
  }));
  CAPTURE(line);
  CHECK(discretePartIn(line) == expected);
}

TEST_CASE("states that are not known are shown and not judged, and take nothing from those that are",
          "[sensors][ipmi]") {
  CHECK(discretePartIn("PS1,02h,ok,10.1,Presence detected, Cooling by prayer")->health == "OK");
  CHECK(discretePartIn("PS1,02h,ok,10.1,Cooling by prayer, Failure detected") ==
        discretePart("power-supply", "PS1", "Cooling by prayer, Failure detected", "Critical"));
  CHECK(discretePartIn("PS1,02h,ok,10.1,Failure detected by nobody")->health.empty());
  CHECK(discretePartIn("PS1,02h,ok,10.1,State Asserted") == discretePart("power-supply", "PS1", "State Asserted", ""));
  // Bits that ipmitool has no words for: it prints nothing.
  CHECK(discretePartIn("DIMM,09h,ok,32.1,") == discretePart("memory", "DIMM", "", ""));
}

TEST_CASE("what reads nothing, is no hardware or has another form is no part", "[sensors][ipmi]") {
  const auto* line = GENERATE(
      "PS1,02h,ns,10.1,No Reading", "PS1,02h,ns,10.1,Disabled", "ACPI,0Eh,ok,7.1,S0/G0: working", "OEM,0Ch,ok,7.1,",
      "VR,0Ch,ok,7.1,State Asserted", "MBTemp,48,degrees C,ok", "SubTemp,,,ns", "watchdog,00h,ns,7.1,Event-Only",
      ",ok,", "a,ok,10.1,Failure detected", "PS1,02h,ok,ten.1,Failure detected", "PS1,02h,ok,10,Failure detected", "");
  CAPTURE(line);
  CHECK_FALSE(discretePartIn(line));
}

TEST_CASE("a discrete sensor that is not well or reads nothing is named by itself", "[sensors][ipmi]") {
  using bmc::ipmi::raisedBy;
  CHECK(raisedBy("Status,02h,ok,10.1,Presence detected\nStatus,03h,ok,10.2,Failure detected\n"
                 "Status,04h,ns,10.3,No Reading\nMBTemp,48,degrees C,cr\nSubTemp,,,ns\nOEM,0Ch,ok,7.1,\n") ==
        std::vector<bmc::RaisedBy>{{"Status\n10.2", bmc::Health::critical}, {"Status\n10.3", bmc::Health::unknown}});
}

TEST_CASE("of more parts than are told, those that are not well are", "[sensors][ipmi]") {
  std::string output = "MBTemp,48,degrees C,ok\n";
  for (int i = 0; i < 100; ++i) output += fmt::format("DIMM {},{:02X}h,ok,32.{},Presence Detected\n", i, i, i);
  output += "PS1,F0h,ok,10.1,Predictive failure\nPS2,F1h,ok,10.2,Failure detected\nPS2,F2h,ok,10.2,Presence detected\n";
  const auto found = bmc::ipmi::parseSensors(output);
  CHECK(found.readings == std::vector<bmc::Sensor>{{"MBTemp", "temperature", "Cel", 48, "", "OK"}});
  REQUIRE(found.parts.size() == bmc::mostParts);
  CHECK(found.parts[0] == discretePart("power-supply", "PS2", "Failure detected", "Critical"));
  CHECK(found.parts[1] == discretePart("power-supply", "PS1", "Predictive failure", "Warning"));
  CHECK(found.parts[2].name == "DIMM 0");
  CHECK(found.unread == std::vector<std::string>{"more than 64 parts: the rest was left out"});
  CHECK(bmc::worstOf(found.parts) == bmc::Health::critical);
  CHECK(bmc::worstOf(found.parts, "memory") == bmc::Health::ok);
  CHECK(bmc::worstOf(found.parts, "fan") == bmc::Health::unknown);
}

TEST_CASE("every kind of part that is told is one that a coordinator takes", "[sensors][ipmi]") {
  for (const auto* words : {"General Chassis intrusion", "IERR", "Failure detected", "Interlock power down", "Parity",
                            "Drive Fault", "PCI SERR", "Thermal Trip", "Fault Status", "Sensor failure", "Failed",
                            "Redundancy Lost", "Install Error", "Config Error"})
    for (const int entity : {3, 10, 19, 26, 29, 32, 40, 7}) {
      const auto found = discretePartIn(fmt::format("x,01h,ok,{}.1,{}", entity, words));
      REQUIRE(found);
      CAPTURE(words, entity, found->kind);
      CHECK(std::ranges::find(bmc::partKinds, found->kind) != bmc::partKinds.end());
    }
}
