// What the sensors of a host read (spec/bmc.md §19.3). Agents tell it, the coordinator shows it.
#pragma once

#include "bmc/model/component.hpp"
#include "bmc/model/power.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc {

// Where a reading is no longer as it should be (caution), is dangerous (critical), or does harm (fatal), in the unit of
// its sensor.
struct Thresholds {
  std::optional<double> lowerFatal, lowerCritical, lowerCaution, upperCaution, upperCritical, upperFatal;

  static void describe(auto& v) {
    v.field("lf", &Thresholds::lowerFatal);
    v.field("lc", &Thresholds::lowerCritical);
    v.field("ln", &Thresholds::lowerCaution);
    v.field("un", &Thresholds::upperCaution);
    v.field("uc", &Thresholds::upperCritical);
    v.field("uf", &Thresholds::upperFatal);
  }
  friend bool operator==(const Thresholds&, const Thresholds&) = default;
};

struct Sensor {
  std::string name;  // as the BMC calls it; once among those of its kind
  std::string kind;  // temperature | fan | voltage | current | power
  std::string unit;  // Cel | RPM | % | V | A | W
  double value = 0;
  std::string context;  // where it sits: "Intake", "CPU"; "" when not told
  std::string health;   // OK | Warning | Critical; "" when not told
  Thresholds thresholds = {};

  static void describe(auto& v) {
    v.field("name", &Sensor::name).required();
    v.field("kind", &Sensor::kind).required();
    v.field("unit", &Sensor::unit).required();
    v.field("value", &Sensor::value).always();
    v.field("context", &Sensor::context);
    v.field("health", &Sensor::health);
    v.field("thresholds", &Sensor::thresholds);
  }
  friend bool operator==(const Sensor&, const Sensor&) = default;
};

constexpr std::size_t mostSensors = 256, mostParts = 64;  // of one host; the rest is left out, and said to be

struct Sensors {
  std::vector<Sensor> readings;
  // What has a state and no number: fans, power supplies and whether there are enough of them, leak detectors, and over
  // IPMI what discrete sensors tell; those that read nothing any more included.
  std::vector<Component> parts;
  // What the BMC has and did not show, or we did not look at, and why.
  std::vector<std::string> unread;

  static void describe(auto& v) {
    v.field("readings", &Sensors::readings);
    v.field("parts", &Sensors::parts);
    v.field("unread", &Sensors::unread);
  }
  friend bool operator==(const Sensors&, const Sensors&) = default;
};

// The kinds of parts that sensors tell of.
constexpr std::array<std::string_view, 15> partKinds = {
    "fan",   "power-supply", "redundancy", "leak-detector", "power-unit", "processor", "memory", "drive",
    "board", "chassis",      "slot",       "cable",         "battery",    "bmc",       "other"};

// Of the parts of that kind ("": of all); unknown where none tells its health.
[[nodiscard]] Health worstOf(const std::vector<Component>& parts, std::string_view kind = {});

// Calls `use` with each text that the BMC has written.
void eachText(Sensors& sensors, auto use) {
  for (auto& sensor : sensors.readings) use(sensor.name), use(sensor.context);
  for (auto& part : sensors.parts) eachText(part, use);
  for (auto& why : sensors.unread) use(why);
}

}  // namespace ingot::bmc
