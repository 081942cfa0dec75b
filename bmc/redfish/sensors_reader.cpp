#include "bmc/redfish/sensors_reader.hpp"

#include "bmc/redfish/hardware_facts.hpp"

#include <cmath>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostSensorChassis = 16;
constexpr std::size_t mostSensorsSingly = 64;  // sensors of a chassis that are read one by one

std::optional<double> numberOf(const Fact<double>& fact) {
  if (!fact || !std::isfinite(*fact)) return std::nullopt;
  const double number = *fact;
  return number;
}

std::optional<double> numberOf(const Fact<SensorResource::Limit>& limit) {
  return limit ? numberOf(limit->reading) : std::nullopt;
}

Thresholds thresholdsOf(const auto& limits) {
  return {.lowerFatal = numberOf(limits.lowerFatal),
          .lowerCritical = numberOf(limits.lowerCritical),
          .lowerCaution = numberOf(limits.lowerCaution),
          .upperCaution = numberOf(limits.upperCaution),
          .upperCritical = numberOf(limits.upperCritical),
          .upperFatal = numberOf(limits.upperFatal)};
}

// What is not there, or not on, reads nothing.
bool readsNothing(const Fact<Status>& status) {
  return status && status->state && *status->state != "Enabled" && *status->state != "StandbySpare";
}

std::string nameOf(const Fact<std::string>& name, const Fact<std::string>& memberId, std::string_view otherwise) {
  if (name && !name->empty()) return *name;
  return fmt::format("{} {}", otherwise, memberId.value_or(""));
}

struct Kind {
  std::string_view readingType, units;  // as Redfish has them
  std::string_view kind, unit;          // as we have them
};

// An amount that nobody knows the unit of is no reading.
constexpr Kind kinds[] = {{"Temperature", "Cel", "temperature", "Cel"},
                          {"Rotational", "RPM", "fan", "RPM"},
                          {"Rotational", "{rev}/min", "fan", "RPM"},
                          {"Percent", "%", "fan", "%"},
                          {"Voltage", "V", "voltage", "V"},
                          {"Current", "A", "current", "A"},
                          {"Power", "W", "power", "W"}};

const Kind* sensorKindOf(const SensorResource& sensor) {
  for (const auto& kind : kinds) {
    const bool isFan = kind.readingType != "Percent" || sensor.context.value_or("") == "Fan";
    if (sensor.type.value_or("") == kind.readingType && sensor.units.value_or("") == kind.units && isFan) return &kind;
  }
  return nullptr;
}

}  // namespace

base::Task<Sensors> SensorsReader::read(std::string systemPath) {
  const auto system = co_await walker_.get<SystemChassis>(std::move(systemPath));
  std::vector<std::string> paths;
  if (!system) throw Error(Error::Code::protocol, walker_.unread().front());
  if (system->links) walker_.take(system->links->chassis, paths);
  if (paths.size() > mostSensorChassis) {
    found_.note(fmt::format("{} chassis: only {} were looked at", paths.size(), mostSensorChassis));
    paths.resize(mostSensorChassis);
  }
  for (const auto& path : paths) co_await readChassis(path);
  for (auto& why : walker_.unread()) found_.note(std::move(why));
  co_return found_.take();
}

base::Task<void> SensorsReader::readChassis(std::string path) {
  const auto before = found_.size();
  const auto chassis = co_await walker_.get<Chassis>(std::move(path));
  if (!chassis) co_return;
  const auto thermal = co_await getAt<Thermal>(chassis->thermal);
  if (thermal) addThermal(*thermal);
  const auto power = co_await getAt<PowerReadings>(chassis->power);
  if (power) addPower(*power);
  std::optional<ThermalSubsystem> cooling;
  if (!chassis->thermal) cooling = co_await getAt<ThermalSubsystem>(chassis->thermalSubsystem);
  if (cooling) {
    co_await readParts("fan", "Fan", cooling->fans);
    addRedundancy("Fan redundancy", cooling->redundancy);
  }
  if (!chassis->power)
    if (const auto subsystem = co_await getAt<PowerSubsystem>(chassis->powerSubsystem)) {
      co_await readParts("power-supply", "Power supply", subsystem->supplies);
      addRedundancy("Power supply redundancy", subsystem->redundancy);
    }
  co_await leaks_.read(*chassis, std::move(cooling));
  if (found_.size() == before && chassis->sensors && chassis->sensors->id) co_await readSensors(*chassis->sensors->id);
}

void SensorsReader::addThermal(const Thermal& thermal) {
  if (thermal.temperatures)
    for (const auto& one : *thermal.temperatures)
      if (one.celsius && !readsNothing(one.status))
        found_.add({nameOf(one.name, one.memberId, "Temperature"), "temperature", "Cel", *one.celsius,
                    one.context.value_or(""), healthTextOf(one.status), thresholdsOf(one)});
  if (thermal.fans)
    for (const auto& one : *thermal.fans) {
      const auto name = nameOf(one.name ? one.name : one.fanName, one.memberId, "Fan");
      addPart("fan", one.path, name, one.status);
      if (one.reading && !readsNothing(one.status))
        found_.add({name, "fan", one.units.value_or("RPM") == "Percent" ? "%" : "RPM", *one.reading,
                    one.context.value_or(""), healthTextOf(one.status), thresholdsOf(one)});
    }
  addRedundancy("Fan redundancy", thermal.redundancy);
}

void SensorsReader::addPower(const PowerReadings& power) {
  if (power.controls)
    for (const auto& one : *power.controls)
      if (one.watts && !readsNothing(one.status))
        found_.add({nameOf(one.name, one.memberId, "Consumption"), "power", "W", *one.watts, one.context.value_or(""),
                    healthTextOf(one.status)});
  if (power.supplies)
    for (const auto& one : *power.supplies) {
      const auto name = nameOf(one.name, one.memberId, "Power supply");
      addPart("power-supply", one.path, name, one.status);
      if (readsNothing(one.status)) continue;
      const auto& output = one.outputWatts ? one.outputWatts : one.lastOutputWatts;
      if (one.inputWatts)
        found_.add({name + " input", "power", "W", *one.inputWatts, "PowerSupply", healthTextOf(one.status)});
      if (output) found_.add({name + " output", "power", "W", *output, "PowerSupply", healthTextOf(one.status)});
      if (one.lineVolts)
        found_.add({name + " input", "voltage", "V", *one.lineVolts, "PowerSupply", healthTextOf(one.status)});
    }
  if (power.voltages)
    for (const auto& one : *power.voltages)
      if (one.volts && !readsNothing(one.status))
        found_.add({nameOf(one.name, one.memberId, "Voltage"), "voltage", "V", *one.volts, one.context.value_or(""),
                    healthTextOf(one.status), thresholdsOf(one)});
  addRedundancy("Power supply redundancy", power.redundancy);
}

// One that has failed reads nothing, and is told all the same.
void SensorsReader::addPart(std::string_view kind, const Fact<std::string>& path, std::string name,
                            const Fact<Status>& status) {
  if (status && !isAbsent(status)) found_.addPart(componentOf(kind, path, std::move(name), status));
}

void SensorsReader::addRedundancy(std::string_view otherwise, const Fact<std::vector<Redundancy>>& groups) {
  if (!groups) return;
  for (const auto& one : *groups)
    addPart("redundancy", one.path, one.name && !one.name->empty() ? *one.name : std::string(otherwise), one.status);
}

base::Task<void> SensorsReader::readParts(std::string_view kind, std::string_view otherwise, Fact<Link> collection) {
  const auto room = found_.roomForParts();
  if (room == 0) co_return found_.noteLeftOut();
  const auto add = [&](const Part& part) {
    addPart(kind, part.path, nameOf(part.name, part.id, otherwise), part.status);
  };
  co_await walker_.visitExpanded<Part>(std::move(collection), room, add);
}

base::Task<void> SensorsReader::readSensors(std::string collection) {
  if (const auto all = co_await walker_.expanded(collection)) {
    for (const auto& member : *all)
      if (const auto sensor = walker_.decoded<SensorResource>(member)) addSensor(*sensor);
    co_return;
  }
  for (const auto& path : co_await walker_.memberPathsUpTo(Link{collection}, mostSensorsSingly)) {
    if (found_.isFull()) co_return found_.note(fmt::format("{}: the rest was not looked at", collection));
    if (const auto sensor = co_await walker_.get<SensorResource>(path)) addSensor(*sensor);
  }
}

void SensorsReader::addSensor(const SensorResource& sensor) {
  const auto* kind = sensorKindOf(sensor);
  if (kind == nullptr || !sensor.reading || readsNothing(sensor.status)) return;
  found_.add({nameOf(sensor.name ? sensor.name : sensor.id, sensor.id, "Sensor"), std::string(kind->kind),
              std::string(kind->unit), *sensor.reading, sensor.context.value_or(""), healthTextOf(sensor.status),
              sensor.limits ? thresholdsOf(*sensor.limits) : Thresholds{}});
}

}  // namespace ingot::bmc::redfish
