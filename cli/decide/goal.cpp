#include "cli/decide/goal.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cli/words/power.hpp"
#include "kube/runtime/conditions.hpp"

namespace ingot::cli {
namespace {

using What = Goal::What;

// Those that a host may come to; legacy ones apart.
std::vector<std::string> goalStates() {
  using enum api::ProvisioningState;
  std::vector<std::string> names;
  for (const auto& [state, name] : api::provisioningStates) {
    if (state != none && state != matchProfile && state != ready) names.emplace_back(name);
  }
  return names;
}

[[noreturn]] void refuse(std::string_view text, const std::string& problem) {
  throw base::InvalidInput("--for " + std::string(text), problem);
}

Goal powerGoal(std::string_view text, std::string_view value) {
  if (value != "on" && value != "off") refuse(text, "power is on or off");
  return {What::power, "", std::string(value)};
}

Goal conditionGoal(std::string_view text, std::string_view rest) {
  const auto equals = rest.find('=');
  const auto value = equals == std::string_view::npos ? "True" : rest.substr(equals + 1);
  if (rest.empty() || equals == 0) refuse(text, "name the condition, e.g. condition=Ready");
  if (value != "True" && value != "False" && value != "Unknown") refuse(text, "a condition is True, False or Unknown");
  return {What::condition, std::string(rest.substr(0, equals)), std::string(value)};
}

bool isState(const Goal& goal, const std::string& state) {
  using enum api::ProvisioningState;
  return state == goal.name || (goal.name == text(available) && state == text(ready));
}

}  // namespace

Goal parseGoal(std::string_view text) {
  constexpr std::string_view power = "power=";
  constexpr std::string_view condition = "condition=";
  if (text == "deleted" || text == "delete") return {What::deleted, "", ""};
  if (text.starts_with(power)) return powerGoal(text, text.substr(power.size()));
  if (text.starts_with(condition)) return conditionGoal(text, text.substr(condition.size()));
  const std::vector<std::string> states = goalStates();
  if (std::ranges::find(states, text) != states.end()) return {What::state, std::string(text), ""};
  const std::string near = base::nearest(text, states);
  refuse(
      text,
      near.empty()
          ? "not something to wait for; use a state (provisioned, available, …), power=on|off, condition=TYPE, deleted"
          : "not something to wait for; did you mean " + near + "?");
}

bool reached(const Goal& goal, const api::BareMetalHost& host) {
  const auto power = powerOf(host).state;
  switch (goal.what) {
    case What::state: return isState(goal, host.status.provisioning.state);
    case What::power: return power == (goal.value == "on" ? PowerKnowledge::State::on : PowerKnowledge::State::off);
    case What::condition: {
      const auto* condition = kube::findCondition(host.status.conditions, goal.name);
      return condition && condition->status == goal.value;
    }
    case What::deleted:
    case What::oneShot: return false;
    case What::rebooted: return !isAnnotated(host, api::annotation::reboot) && power == PowerKnowledge::State::on;
    case What::inspected:
      return !isAnnotated(host, api::annotation::inspect) &&
             host.status.provisioning.state != text(api::ProvisioningState::inspecting);
  }
  return false;
}

std::optional<bool> hasDone(const Goal& goal, std::string_view reason) {
  const bool isNmi = goal.name == "nmi";
  if (reason == (isNmi ? "NMISent" : "ACCycleDone")) return true;
  if (reason == (isNmi ? "NMIFailed" : "ACCycleFailed")) return false;
  return std::nullopt;
}

std::string textOf(const Goal& goal) {
  switch (goal.what) {
    case What::state: return goal.name;
    case What::power: return "powered " + goal.value;
    case What::condition: return goal.name + ": " + goal.value;
    case What::deleted: return "gone";
    case What::rebooted: return "rebooted";
    case What::inspected: return "inspected";
    case What::oneShot: return goal.name == "nmi" ? "sent an NMI" : "AC-cycled";
  }
  return "";
}

}  // namespace ingot::cli
