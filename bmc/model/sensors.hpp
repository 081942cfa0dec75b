// What the sensors of a host read (spec/bmc.md §19.3). Agents tell it, the coordinator shows it.
#pragma once

#include <string>
#include <vector>

namespace ingot::bmc {

struct Sensor {
  std::string name;  // as the BMC calls it; once among those of its kind
  std::string kind;  // temperature | fan | voltage | current | power
  std::string unit;  // Cel | RPM | % | V | A | W
  double value = 0;
  std::string context;  // where it sits: "Intake", "CPU"; "" when not told
  std::string health;   // OK | Warning | Critical; "" when not told

  static void describe(auto& v) {
    v.field("name", &Sensor::name).required();
    v.field("kind", &Sensor::kind).required();
    v.field("unit", &Sensor::unit).required();
    v.field("value", &Sensor::value).always();
    v.field("context", &Sensor::context);
    v.field("health", &Sensor::health);
  }
  friend bool operator==(const Sensor&, const Sensor&) = default;
};

constexpr std::size_t mostSensors = 256;  // of one host; the rest is left out, and said to be

struct Sensors {
  std::vector<Sensor> readings;
  // What the BMC has and did not show, or we did not look at, and why.
  std::vector<std::string> unread;

  static void describe(auto& v) {
    v.field("readings", &Sensors::readings);
    v.field("unread", &Sensors::unread);
  }
  friend bool operator==(const Sensors&, const Sensors&) = default;
};

// Calls `use` with each text that the BMC has written.
void eachText(Sensors& sensors, auto use) {
  for (auto& sensor : sensors.readings) use(sensor.name), use(sensor.context);
  for (auto& why : sensors.unread) use(why);
}

}  // namespace ingot::bmc
