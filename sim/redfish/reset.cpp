// What a system's power can be told to do.
#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

constexpr std::string_view resetInfoPath = "/redfish/v1/Systems/1/ResetActionInfo";
constexpr base::Duration losesOnWithin = std::chrono::seconds(10);

json::Array offered(const Traits& traits) {
  json::Array all;
  for (const auto& name : namesOf(Reset{}))
    if (traits.offers(name.value)) all.emplace_back(name.name);
  return all;
}

bool turnsOn(Reset reset, const Machine& machine) {
  return !machine.on() && (reset == Reset::on || reset == Reset::forceOn || reset == Reset::pushPowerButton);
}

Reply noInputPower() {
  return error(409, "OperationFailed",
               "The server has no input power: all power supplies report that AC is lost. Check the power cord.");
}

}  // namespace

json::Object resetActions(const Traits& traits) {
  json::Object reset{{"target", fmt::format("{}/Actions/ComputerSystem.Reset", systemPath)}};
  if (traits.has(Habit::resetsByActionInfo))
    reset["@Redfish.ActionInfo"] = resetInfoPath;
  else
    reset["ResetType@Redfish.AllowableValues"] = offered(traits);
  json::Object actions{{"#ComputerSystem.Reset", std::move(reset)}};
  if (!traits.acCycle.action.empty()) {
    const auto name = traits.acCycle.action.substr(traits.acCycle.action.find('/') + 1);
    actions["Oem"] = {{fmt::format("#{}", name),
                       {{"target", fmt::format("{}/Actions/Oem/{}", systemPath, traits.acCycle.action)},
                        {"ResetType@Redfish.AllowableValues", json::Array{traits.acCycle.resetType}}}}};
  }
  return actions;
}

namespace resources {

Reply resetInfo(Call& call) {
  if (!call.traits.has(Habit::resetsByActionInfo)) return notFound(call.path);
  auto body = resource(resetInfoPath, "ActionInfo.v1_4_0.ActionInfo", "ResetActionInfo", "Reset Action Info");
  body["Parameters"] = json::Array{
      {{"Name", "ResetType"}, {"Required", true}, {"DataType", "String"}, {"AllowableValues", offered(call.traits)}}};
  return ok(std::move(body));
}

Reply resetSystem(Call& call) {
  const auto type = json::stringAt(call.body, {"ResetType"});
  call.action = "reset";
  if (!type) return missing("ComputerSystem.Reset", "ResetType");
  call.detail = std::string(*type);
  const auto reset = json::enumFromText<Reset>(*type);
  if (!reset || !call.traits.offers(*reset))
    return error(400, "ActionParameterNotSupported",
                 fmt::format("The value {} of the parameter ResetType is not supported.", *type));
  auto& machine = call.machine;
  const bool hangs = call.traits.has(Habit::losesEarlyOn) && machine.spec().model.contains("SR675");
  if (hangs && *reset == Reset::forceRestart) {
    static_cast<void>(machine.reset(Reset::forceOff));
    return noContent();
  }
  if (turnsOn(*reset, machine)) {
    if (call.traits.has(Habit::conflictsEarlyOn) &&
        machine.sinceOff() < std::chrono::milliseconds(machine.spec().timing.settle))
      return error(409, "ActionParameterValueConflict",
                   "The parameter ResetType with the value On conflicts with the state of the system.");
    if (hangs && machine.sinceOff() < losesOnWithin) return noContent();
  }
  return machine.reset(*reset) == ResetAnswer::noInputPower ? noInputPower() : noContent();
}

// As the vendors do it; HPE's of a system that is off only.
Reply cycleInputPower(Call& call) {
  const auto& cycle = call.traits.acCycle;
  const std::string_view own = call.path.substr(systemPath.size() + std::string_view("/Actions/Oem/").size());
  if (cycle.action.empty() || own != cycle.action) return notFound(call.path);
  call.action = "reset";
  call.detail = json::textAt(call.body, {"ResetType"});
  if (call.detail != cycle.resetType) return valueNotInList("ResetType", call.detail);
  if (call.machine.on() && cycle.action.starts_with("Hpe/"))
    return error(400, "iLO.2.14.InvalidOperationForSystemState", "The system has to be powered off for an AuxCycle.");
  return call.machine.reset(Reset::fullPowerCycle) == ResetAnswer::noInputPower ? noInputPower() : noContent();
}

}  // namespace resources

}  // namespace ingot::sim::redfish
