#include "bmc/ipmi/sensors.hpp"

#include "base/text.hpp"
#include "bmc/ipmi/discrete_states.hpp"
#include "bmc/model/power.hpp"
#include "bmc/sensor_list.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ingot::bmc::ipmi {

namespace {

struct Unit {
  std::string_view text;        // ipmitool's
  std::string_view kind, unit;  // ours
};

constexpr Unit sensorUnits[] = {{"degrees C", "temperature", "Cel"}, {"RPM", "fan", "RPM"},    {"percent", "fan", "%"},
                                {"Volts", "voltage", "V"},           {"Amps", "current", "A"}, {"Watts", "power", "W"}};

struct State {
  std::string_view text, health;
};

constexpr State sensorStates[] = {{"ok", "OK"},        {"nc", "Warning"},   {"lnc", "Warning"},  {"unc", "Warning"},
                                  {"cr", "Critical"},  {"lcr", "Critical"}, {"ucr", "Critical"}, {"nr", "Critical"},
                                  {"lnr", "Critical"}, {"unr", "Critical"}};

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  return ec == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

// "MBTemp,48,degrees C,ok". A name may hold commas, so the last three count.
std::optional<Sensor> sensorIn(std::string_view line) {
  std::string_view parts[3];
  for (auto* part = std::end(parts); part != std::begin(parts);) {
    const auto comma = line.rfind(',');
    if (comma == std::string_view::npos) return std::nullopt;
    *--part = base::trimmed(line.substr(comma + 1));
    line = line.substr(0, comma);
  }
  const auto value = numberIn(parts[0]);
  const auto* unit = std::ranges::find(sensorUnits, parts[1], &Unit::text);
  const auto* state = std::ranges::find(sensorStates, parts[2], &State::text);
  if (!value || unit == std::end(sensorUnits) || state == std::end(sensorStates)) return std::nullopt;
  return Sensor{.name = std::string(line),
                .kind = std::string(unit->kind),
                .unit = std::string(unit->unit),
                .value = *value,
                .health = std::string(state->health)};
}

}  // namespace

Sensors parseSensors(std::string_view output) {
  SensorList found;
  std::vector<Component> parts;
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    const auto line = output.substr(0, end);
    if (auto sensor = sensorIn(line)) found.add(std::move(*sensor));
    if (auto part = discretePartIn(line)) parts.push_back(std::move(*part));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  // A server may have hundreds, and only so many are told.
  for (const auto health : {Health::critical, Health::warning, Health::ok, Health::unknown})
    for (const auto& part : parts)
      if (parseHealth(part.health).value_or(Health::unknown) == health) found.addPart(part);
  return found.take();
}

}  // namespace ingot::bmc::ipmi
