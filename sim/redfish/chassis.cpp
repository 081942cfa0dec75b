#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

struct Temperature {
  const char* name;
  const char* context;
  int idle, busy, warning, critical;  // °C
};
constexpr Temperature temperatures[] = {{"Inlet", "Intake", 22, 23, 38, 42}, {"CPU0", "CPU", 30, 52, 85, 95}};
constexpr int fans = 2;
constexpr int supplies = 2;

constexpr std::string_view sensorsPath = "/redfish/v1/Chassis/1/Sensors";
constexpr std::string_view suppliesPath = "/redfish/v1/Chassis/1/PowerSubsystem/PowerSupplies";
constexpr std::string_view fansPath = "/redfish/v1/Chassis/1/ThermalSubsystem/Fans";
constexpr std::string_view leaksPath = "/redfish/v1/Chassis/1/ThermalSubsystem/LeakDetection";

// As a Sensor has it, one resource a reading.
struct SensorView {
  std::string id, type, units;
  double reading;
};

std::vector<SensorView> sensorsOf(const Machine& machine) {
  const bool on = machine.on();
  std::vector<SensorView> all;
  for (const auto& one : temperatures)
    all.push_back({fmt::format("Temp_{}", one.name), "Temperature", "Cel", double(on ? one.busy : one.idle)});
  for (int i = 0; i < fans; ++i) all.push_back({fmt::format("Fan{}", i), "Rotational", "RPM", on ? 7200.0 : 0.0});
  all.push_back({"P12V", "Voltage", "V", on ? 12.1 : 0.0});
  all.push_back({"Consumption", "Power", "W", !machine.hasInputPower() ? 0.0 : on ? 240.0 : 12.0});
  return all;
}

json::Object powered(bool inputPower) {
  if (inputPower) return healthy();
  return {{"State", "UnavailableOffline"}, {"Health", "Critical"}};
}

// Both supplies hang on one cord.
json::Array redundancy(std::string_view name, const json::Object& status) {
  return {{{"MemberId", "0"}, {"Name", name}, {"Mode", "N+m"}, {"MinNumNeeded", 1}, {"Status", status}}};
}

json::Array groups(const json::Object& status) {
  return {{{"RedundancyType", "NPlusM"}, {"MinNeededInGroup", 1}, {"Status", status}}};
}

std::vector<std::string> paths(std::string_view collection, int count) {
  std::vector<std::string> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(fmt::format("{}/{}", collection, i));
  return all;
}

// A fan or a supply, if there are so many.
Reply part(Call& call, std::string_view type, std::string_view name, int count, json::Object status) {
  bool exists = false;
  for (int i = 0; i < count; ++i) exists = exists || std::to_string(i) == call.ids.at(0);
  if (!call.traits.has(Habit::hasSensorsOnly) || !exists) return notFound(call.path);
  auto body = resource(call.path, type, call.ids.at(0), fmt::format("{}{}", name, call.ids.at(0)));
  body["Status"] = std::move(status);
  return ok(std::move(body));
}

}  // namespace

Reply chassisCollection(Call& call) {
  return ok(collection(call.path, "Chassis", "Chassis Collection", {std::string(chassisPath)}));
}

Reply chassis(Call& call) {
  const auto& spec = call.machine.spec();
  auto body = resource(chassisPath, "Chassis.v1_23_0.Chassis", "1", "Chassis");
  body["ChassisType"] = "RackMount";
  body["Manufacturer"] = spec.manufacturer;
  body["Model"] = spec.model;
  body["SerialNumber"] = spec.serial;
  body["PowerState"] = call.machine.reportedOn() ? "On" : "Off";
  body["IndicatorLED"] = "Off";
  body["Status"] = powered(call.machine.hasInputPower());
  body["NetworkAdapters"] = link(fmt::format("{}/NetworkAdapters", chassisPath));
  if (call.traits.has(Habit::hasSensorsOnly)) {
    for (const auto* name : {"Sensors", "ThermalSubsystem", "PowerSubsystem"})
      body[name] = link(fmt::format("{}/{}", chassisPath, name));
  } else {
    for (const auto* name : {"Thermal", "Power"}) body[name] = link(fmt::format("{}/{}", chassisPath, name));
  }
  body["Links"] = {{"ComputerSystems", json::Array{link(systemPath)}}, {"ManagedBy", json::Array{link(managerPath)}}};
  return ok(std::move(body));
}

Reply thermal(Call& call) {
  if (call.traits.has(Habit::hasSensorsOnly)) return notFound(call.path);
  const bool on = call.machine.on();
  auto body = resource(call.path, "Thermal.v1_7_0.Thermal", "Thermal", "Thermal");
  json::Array readings;
  for (const auto& sensor : temperatures)
    readings.push_back({{"MemberId", sensor.name},
                        {"Name", sensor.name},
                        {"PhysicalContext", sensor.context},
                        {"ReadingCelsius", on ? sensor.busy : sensor.idle},
                        {"UpperThresholdNonCritical", sensor.warning},
                        {"UpperThresholdCritical", sensor.critical},
                        {"Status", healthy()}});
  json::Array spinning;
  for (int i = 0; i < fans; ++i)
    spinning.push_back({{"MemberId", std::to_string(i)},
                        {"Name", fmt::format("Fan{}", i)},
                        {"Reading", on ? 7200 : 0},
                        {"ReadingUnits", "RPM"},
                        {"Status", healthy()}});
  body["Temperatures"] = std::move(readings);
  body["Fans"] = std::move(spinning);
  body["Redundancy"] = redundancy("Fans", healthy());
  return ok(std::move(body));
}

Reply power(Call& call) {
  if (call.traits.has(Habit::hasSensorsOnly)) return notFound(call.path);
  const bool on = call.machine.on();
  const bool cord = call.machine.hasInputPower();
  auto body = resource(call.path, "Power.v1_7_0.Power", "Power", "Power");
  json::Array units;
  for (int i = 0; i < supplies; ++i)
    units.push_back({{"MemberId", std::to_string(i)},
                     {"Name", fmt::format("PSU{}", i)},
                     {"PowerCapacityWatts", 800},
                     {"LastPowerOutputWatts", on ? 120 : 6},
                     {"LineInputVoltage", cord ? 230 : 0},
                     {"Status", powered(cord)}});
  body["PowerSupplies"] = std::move(units);
  body["Redundancy"] = redundancy("Power supplies", powered(cord));
  body["PowerControl"] = json::Array{{{"MemberId", "0"}, {"PowerConsumedWatts", !cord ? 0 : on ? 240 : 12}}};
  body["Voltages"] =
      json::Array{{{"MemberId", "0"}, {"Name", "P12V"}, {"ReadingVolts", on ? 12.1 : 0.0}, {"Status", healthy(on)}}};
  return ok(std::move(body));
}

Reply thermalSubsystem(Call& call) {
  if (!call.traits.has(Habit::hasSensorsOnly)) return notFound(call.path);
  auto body = resource(call.path, "ThermalSubsystem.v1_3_0.ThermalSubsystem", "ThermalSubsystem", "Thermal Subsystem");
  body["Fans"] = link(fansPath);
  body["FanRedundancy"] = groups(healthy());
  if (call.traits.has(Habit::hasLeakDetector)) body["LeakDetection"] = link(leaksPath);
  return ok(std::move(body));
}

Reply fanCollection(Call& call) {
  if (!call.traits.has(Habit::hasSensorsOnly)) return notFound(call.path);
  return ok(collection(fansPath, "Fan", "Fans", paths(fansPath, fans)));
}

Reply fan(Call& call) { return part(call, "Fan.v1_5_0.Fan", "Fan", fans, healthy()); }

Reply leakDetection(Call& call) {
  if (!call.traits.has(Habit::hasLeakDetector)) return notFound(call.path);
  auto body = resource(call.path, "LeakDetection.v1_1_0.LeakDetection", "LeakDetection", "Leak Detection");
  body["LeakDetectors"] = link(fmt::format("{}/LeakDetectors", leaksPath));
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply leakDetectors(Call& call) {
  if (!call.traits.has(Habit::hasLeakDetector)) return notFound(call.path);
  return ok(collection(call.path, "LeakDetector", "Leak Detectors", {fmt::format("{}/Manifold", call.path)}));
}

// The detector itself is well, and so is the system in the eyes of its BMC.
Reply leakDetector(Call& call) {
  if (!call.traits.has(Habit::hasLeakDetector)) return notFound(call.path);
  auto body = resource(call.path, "LeakDetector.v1_2_0.LeakDetector", "Manifold", "Manifold");
  body["LeakDetectorType"] = "Moisture";
  body["DetectorState"] = call.machine.faults.has(Fault::leak) ? "Critical" : "OK";
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply powerSubsystem(Call& call) {
  if (!call.traits.has(Habit::hasSensorsOnly)) return notFound(call.path);
  auto body = resource(call.path, "PowerSubsystem.v1_1_0.PowerSubsystem", "PowerSubsystem", "Power Subsystem");
  body["PowerSupplies"] = link(suppliesPath);
  body["PowerSupplyRedundancy"] = groups(powered(call.machine.hasInputPower()));
  return ok(std::move(body));
}

Reply supplyCollection(Call& call) {
  if (!call.traits.has(Habit::hasSensorsOnly)) return notFound(call.path);
  return ok(collection(suppliesPath, "PowerSupply", "Power Supplies", paths(suppliesPath, supplies)));
}

Reply supply(Call& call) {
  return part(call, "PowerSupply.v1_5_0.PowerSupply", "PSU", supplies, powered(call.machine.hasInputPower()));
}

Reply sensors(Call& call) {
  if (!call.traits.has(Habit::hasSensorsOnly)) return notFound(call.path);
  std::vector<std::string> members;
  for (const auto& one : sensorsOf(call.machine)) members.push_back(fmt::format("{}/{}", sensorsPath, one.id));
  return ok(collection(sensorsPath, "Sensor", "Sensors", members));
}

Reply sensor(Call& call) {
  const auto all = sensorsOf(call.machine);
  const auto found = std::ranges::find(all, call.ids.at(0), &SensorView::id);
  if (!call.traits.has(Habit::hasSensorsOnly) || found == all.end()) return notFound(call.path);
  auto body = resource(call.path, "Sensor.v1_7_0.Sensor", found->id, found->id);
  body["ReadingType"] = found->type;
  body["ReadingUnits"] = found->units;
  body["Reading"] = found->reading;
  body["Status"] = healthy();
  return ok(std::move(body));
}

}  // namespace ingot::sim::redfish::resources
