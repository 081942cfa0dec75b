#include "coordinator/agents/sensor_book.hpp"

#include "base/cut_text.hpp"
#include "base/metrics.hpp"
#include "base/milliseconds.hpp"
#include "bmc/model/power.hpp"

#include <cmath>
#include <set>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestLabel = 80;

struct Family {
  std::string_view kind, unit;  // of sensors
  std::string_view name, help;
  double factor = 1;  // from what agents tell to Prometheus' base unit
};

constexpr Family families[] = {
    {"temperature", "Cel", "bmh_temperature_celsius", "Temperature that a sensor of a host reads"},
    {"fan", "RPM", "bmh_fan_rpm", "Speed of a fan of a host, in rounds a minute"},
    {"fan", "%", "bmh_fan_ratio", "Speed of a fan of a host, as a share of its highest", 0.01},
    {"voltage", "V", "bmh_voltage_volts", "Voltage that a sensor of a host reads"},
    {"current", "A", "bmh_current_amperes", "Current that a sensor of a host reads"},
    {"power", "W", "bmh_power_watts", "Power that a sensor of a host reads"},
};

constexpr std::string_view stateName = "bmh_sensor_state";
constexpr std::string_view stateHelp = "What a sensor of a host says of itself: 0 OK, 1 Warning, 2 Critical";

bool isKnown(const bmc::Sensor& sensor) {
  return std::isfinite(sensor.value) && std::ranges::any_of(families, [&](const Family& family) {
           return family.kind == sensor.kind && family.unit == sensor.unit;
         });
}

std::optional<double> stateOf(const bmc::Sensor& sensor) {
  switch (bmc::parseHealth(sensor.health).value_or(bmc::Health::unknown)) {
    case bmc::Health::ok: return 0;
    case bmc::Health::warning: return 1;
    case bmc::Health::critical: return 2;
    case bmc::Health::unknown: break;
  }
  return std::nullopt;
}

base::Labels labelsOf(const kube::ObjectKey& host, const bmc::Sensor& sensor) {
  base::Labels labels{{"namespace", host.namespace_}, {"host", host.name}, {"sensor", sensor.name}};
  if (!sensor.context.empty()) labels.emplace_back("context", sensor.context);
  return labels;
}

}  // namespace

void SensorBook::take(const std::string& uid, const kube::ObjectKey& host, wire::SensorFacts facts,
                      base::Duration believedFor, base::MonoTime now) {
  auto& readings = facts.sensors.readings;
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(readings, [&](bmc::Sensor& sensor) {
    sensor.name = base::cutText(sensor.name, longestLabel);
    sensor.context = base::cutText(sensor.context, longestLabel);
    return !isKnown(sensor) || !seen.emplace(sensor.kind, sensor.name).second;  // one series a name
  });
  if (readings.size() > bmc::mostSensors) readings.resize(bmc::mostSensors);
  readings.shrink_to_fit();
  const auto age = std::max(base::Duration{}, base::fromMilliseconds(facts.ageMs));
  hosts_[uid] = {host, now - age + believedFor, std::move(readings)};
}

void SensorBook::write(std::string& out, base::MonoTime now) const {
  const auto writeAll = [&](std::string_view name, std::string_view help, const auto& valueOf) {
    bool hasHead = false;
    for (const auto& [uid, host] : hosts_) {
      if (now > host.until) continue;
      for (const auto& sensor : host.readings) {
        const std::optional<double> value = valueOf(sensor);
        if (!value) continue;
        if (!std::exchange(hasHead, true)) out += base::metricHead(name, help);
        out += base::metricLine(name, labelsOf(host.key, sensor), *value);
      }
    }
  };
  for (const auto& family : families)
    writeAll(family.name, family.help, [&](const bmc::Sensor& sensor) {
      const bool isOfIt = sensor.kind == family.kind && sensor.unit == family.unit;
      return isOfIt ? std::optional(sensor.value * family.factor) : std::nullopt;
    });
  writeAll(stateName, stateHelp, stateOf);
}

}  // namespace ingot::coordinator::agents
