#include "bmc/ipmi/sensors.hpp"

#include "base/text.hpp"
#include "bmc/sensor_list.hpp"

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
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    if (auto sensor = sensorIn(output.substr(0, end))) found.add(std::move(*sensor));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return found.take();
}

}  // namespace ingot::bmc::ipmi
