#include "bmc/ipmi/sensors.hpp"

#include "base/cut_text.hpp"
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

constexpr std::string_view percent = "percent";  // of a fan's speed, or of anything: its name tells
constexpr Unit sensorUnits[] = {{"degrees C", "temperature", "Cel"}, {"RPM", "fan", "RPM"},    {percent, "fan", "%"},
                                {"Volts", "voltage", "V"},           {"Amps", "current", "A"}, {"Watts", "power", "W"}};

bool isOfFan(std::string_view name) {
  const auto lower = base::lower(name);
  return std::ranges::any_of(std::initializer_list<std::string_view>{"fan", "pwm", "blower"},
                             [&](auto word) { return lower.find(word) != std::string::npos; });
}

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
  if (unit->text == percent && !isOfFan(line)) return std::nullopt;
  return Sensor{.name = std::string(line),
                .kind = std::string(unit->kind),
                .unit = std::string(unit->unit),
                .value = *value,
                .health = std::string(state->health)};
}

void eachLine(std::string_view output, auto use) {
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    use(output.substr(0, end));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
}

// In bytes. It is cut again once the password is out of it (redacted_capabilities.hpp).
constexpr std::size_t longestTrouble = 1024;
// So ipmitool tells of a repository that is empty.
constexpr std::string_view noFirstRecord = "Get SDR 0000 command failed: Requested sensor, data, or record not found";
constexpr std::size_t leastCommas = 3;  // of a row

}  // namespace

std::string sdrTroubleIn(std::string_view said) {
  std::string trouble;
  eachLine(said, [&](std::string_view line) {
    const bool isOfSdr = line.find("SDR") != std::string_view::npos || line.find("sdr") != std::string_view::npos;
    const bool isEmpty = line.find(noFirstRecord) != std::string_view::npos;
    if (isOfSdr && !isEmpty && trouble.empty()) trouble = base::cutText(base::trimmed(line), longestTrouble);
  });
  return trouble;
}

Sensors parseSensors(std::string_view output, std::string_view said) {
  SensorList found;
  std::vector<Component> parts;
  bool hasRows = false;
  eachLine(output, [&](std::string_view line) {
    if (auto sensor = sensorIn(line)) found.add(std::move(*sensor));
    if (auto part = discretePartIn(line)) parts.push_back(std::move(*part));
    hasRows = hasRows || std::ranges::count(line, ',') >= static_cast<std::ptrdiff_t>(leastCommas);
  });
  if (const auto trouble = sdrTroubleIn(said); !trouble.empty())
    found.note("sdr elist: " + trouble);
  else if (!hasRows)
    found.note("sdr elist: ipmitool tells of no sensor");
  // A server may have hundreds, and only so many are told.
  for (const auto health : {Health::critical, Health::warning, Health::ok, Health::unknown})
    for (const auto& part : parts)
      if (parseHealth(part.health).value_or(Health::unknown) == health) found.addPart(part);
  return found.take();
}

std::vector<RaisedBy> raisedBy(std::string_view output) {
  std::vector<RaisedBy> found;
  eachLine(output, [&](std::string_view line) {
    if (auto one = raisedByRow(line)) found.push_back(std::move(*one));
  });
  return found;
}

}  // namespace ingot::bmc::ipmi
