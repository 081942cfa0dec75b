#include "bmc/ipmi/discrete_states.hpp"

#include "base/cut_text.hpp"
#include "base/text.hpp"
#include "bmc/ipmi/entity.hpp"
#include "bmc/model/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace ingot::bmc::ipmi {

namespace {

constexpr auto good = Health::ok, poor = Health::warning, bad = Health::critical, unjudged = Health::unknown;

struct DiscreteState {
  int code;                // of the event type (table 42-2), or of the sensor's type (table 42-3)
  int offset;              // the bit of the reading
  std::string_view words;  // ipmitool's
  Health health;           // what a host with it is; by the rule of docs/decisions/0039
};

// IPMI 2.0, table 42-2: generic states, of sensors of any type.
constexpr DiscreteState genericStates[] = {
    {0x03, 0, "State Deasserted", unjudged},  // of what, its maker knows
    {0x03, 1, "State Asserted", unjudged},
    {0x04, 0, "Predictive Failure Deasserted", good},
    {0x04, 1, "Predictive Failure Asserted", poor},
    {0x05, 0, "Limit Not Exceeded", good},
    {0x05, 1, "Limit Exceeded", poor},
    {0x06, 0, "Performance Met", good},
    {0x06, 1, "Performance Lags", poor},
    {0x07, 0, "Transition to OK", good},
    {0x07, 1, "Transition to Non-critical from OK", poor},
    {0x07, 2, "Transition to Critical from less severe", bad},
    {0x07, 3, "Transition to Non-recoverable from less severe", bad},
    {0x07, 4, "Transition to Non-critical from more severe", poor},
    {0x07, 5, "Transition to Critical from Non-recoverable", bad},
    {0x07, 6, "Transition to Non-recoverable", bad},
    {0x07, 7, "Monitor", unjudged},
    {0x07, 8, "Informational", unjudged},
    {0x08, 0, "Device Absent", unjudged},   // a place may be empty for good
    {0x08, 1, "Device Present", unjudged},  // which says nothing of its health
    {0x09, 0, "Device Disabled", unjudged},
    {0x09, 1, "Device Enabled", unjudged},
    {0x0a, 0, "Transition to Running", good},
    {0x0a, 1, "Transition to In Test", unjudged},
    {0x0a, 2, "Transition to Power Off", unjudged},
    {0x0a, 3, "Transition to On Line", good},
    {0x0a, 4, "Transition to Off Line", unjudged},
    {0x0a, 5, "Transition to Off Duty", unjudged},
    {0x0a, 6, "Transition to Degraded", poor},
    {0x0a, 7, "Transition to Power Save", unjudged},
    {0x0a, 8, "Install Error", bad},
    {0x0b, 0, "Fully Redundant", good},
    {0x0b, 1, "Redundancy Lost", poor},  // it still runs
    {0x0b, 2, "Redundancy Degraded", poor},
    {0x0b, 3, "Non-Redundant: Sufficient from Redundant", poor},
    {0x0b, 4, "Non-Redundant: Sufficient from Insufficient", poor},
    {0x0b, 5, "Non-Redundant: Insufficient Resources", bad},
    {0x0b, 6, "Redundancy Degraded from Fully Redundant", poor},
    {0x0b, 7, "Redundancy Degraded from Non-Redundant", poor},
};
constexpr int redundancyCode = 0x0b;

// IPMI 2.0, table 42-3: states of sensors of one type; of the types that tell of hardware.
constexpr DiscreteState specificStates[] = {
    {0x05, 0, "General Chassis intrusion", poor},
    {0x05, 1, "Drive Bay intrusion", poor},
    {0x05, 2, "I/O Card area intrusion", poor},
    {0x05, 3, "Processor area intrusion", poor},
    {0x05, 4, "System unplugged from LAN", poor},
    {0x05, 5, "Unauthorized dock", poor},
    {0x05, 6, "FAN area intrusion", poor},
    {0x07, 0, "IERR", bad},
    {0x07, 1, "Thermal Trip", bad},
    {0x07, 2, "FRB1/BIST failure", bad},
    {0x07, 3, "FRB2/Hang in POST failure", bad},
    {0x07, 4, "FRB3/Processor startup/init failure", bad},
    {0x07, 5, "Configuration Error", bad},
    {0x07, 6, "SM BIOS Uncorrectable CPU-complex Error", bad},
    {0x07, 7, "Presence detected", good},
    {0x07, 8, "Disabled", unjudged},
    {0x07, 9, "Terminator presence detected", unjudged},
    {0x07, 10, "Throttled", poor},
    {0x07, 11, "Uncorrectable machine check exception", bad},
    {0x07, 12, "Correctable machine check error", poor},
    {0x08, 0, "Presence detected", good},
    {0x08, 1, "Failure detected", bad},
    {0x08, 2, "Predictive failure", poor},
    {0x08, 3, "Power Supply AC lost", bad},
    {0x08, 4, "AC lost or out-of-range", bad},
    {0x08, 5, "AC out-of-range, but present", poor},
    {0x08, 6, "Config Error", bad},
    {0x08, 7, "Power Supply Inactive", unjudged},  // a spare that waits
    {0x09, 0, "Power off/down", unjudged},
    {0x09, 1, "Power cycle", unjudged},
    {0x09, 2, "240VA power down", bad},
    {0x09, 3, "Interlock power down", bad},
    {0x09, 4, "AC lost", bad},
    {0x09, 5, "Soft-power control failure", bad},
    {0x09, 6, "Failure detected", bad},
    {0x09, 7, "Predictive failure", poor},
    {0x0c, 0, "Correctable ECC", poor},
    {0x0c, 1, "Uncorrectable ECC", bad},
    {0x0c, 2, "Parity", bad},
    {0x0c, 3, "Memory Scrub Failed", bad},
    {0x0c, 4, "Memory Device Disabled", poor},
    {0x0c, 5, "Correctable ECC logging limit reached", poor},
    {0x0c, 6, "Presence Detected", good},
    {0x0c, 7, "Configuration Error", bad},
    {0x0c, 8, "Spare", unjudged},
    {0x0c, 9, "Throttled", poor},
    {0x0c, 10, "Critical Overtemperature", bad},
    {0x0d, 0, "Drive Present", good},
    {0x0d, 1, "Drive Fault", bad},
    {0x0d, 2, "Predictive Failure", poor},
    {0x0d, 3, "Hot Spare", unjudged},
    {0x0d, 4, "Parity Check In Progress", unjudged},
    {0x0d, 5, "In Critical Array", poor},  // the next loss is one too many
    {0x0d, 6, "In Failed Array", bad},
    {0x0d, 7, "Rebuild In Progress", poor},
    {0x0d, 8, "Rebuild Aborted", bad},
    {0x12, 2, "Undetermined system hardware failure", bad},
    {0x13, 0, "NMI/Diag Interrupt", unjudged},  // somebody has asked for it
    {0x13, 1, "Bus Timeout", bad},
    {0x13, 2, "I/O Channel check NMI", bad},
    {0x13, 3, "Software NMI", unjudged},
    {0x13, 4, "PCI PERR", bad},
    {0x13, 5, "PCI SERR", bad},
    {0x13, 6, "EISA failsafe timeout", bad},
    {0x13, 7, "Bus Correctable error", poor},
    {0x13, 8, "Bus Uncorrectable error", bad},
    {0x13, 9, "Fatal NMI", bad},
    {0x13, 10, "Bus Fatal Error", bad},
    {0x13, 11, "Bus Degraded", poor},
    {0x19, 0, "Soft Power Control Failure", bad},
    {0x19, 1, "Thermal Trip", bad},
    {0x1b, 0, "Connected", unjudged},
    {0x1b, 1, "Config Error", bad},
    {0x21, 0, "Fault Status", bad},
    {0x21, 2, "Device Installed", unjudged},
    {0x25, 0, "Present", unjudged},
    {0x25, 1, "Absent", unjudged},
    {0x25, 2, "Disabled", unjudged},
    {0x28, 0, "Sensor access degraded or unavailable", poor},
    {0x28, 1, "Controller access degraded or unavailable", poor},
    {0x28, 2, "Management controller off-line", bad},
    {0x28, 3, "Management controller unavailable", bad},
    {0x28, 4, "Sensor failure", poor},
    {0x28, 5, "FRU failure", poor},
    {0x29, 0, "Low", poor},
    {0x29, 1, "Failed", bad},
    {0x29, 2, "Presence Detected", good},
};

struct SensorType {
  int code;
  std::string_view kind;  // of part; of others the sensor's entity tells
};

constexpr SensorType sensorTypes[] = {
    {0x05, "chassis"}, {0x07, "processor"}, {0x08, "power-supply"}, {0x09, "power-unit"}, {0x0c, "memory"},
    {0x0d, "drive"},   {0x12, "board"},     {0x13, "board"},        {0x19, "board"},      {0x1b, "cable"},
    {0x21, "slot"},    {0x28, "bmc"},       {0x29, "battery"}};

constexpr std::size_t longestStates = 512;  // bytes; all fifteen of a sensor are shorter

bool isFirstOf(std::string_view text, std::string_view words) {
  return text.starts_with(words) && (text.size() == words.size() || text.substr(words.size()).starts_with(", "));
}

std::size_t lengthOfFirst(std::string_view text) {
  std::size_t length = 0;  // of the longest that is known: some have a comma in them
  const auto consider = [&](const auto& states) {
    for (const auto& state : states)
      if (isFirstOf(text, state.words)) length = std::max(length, state.words.size());
  };
  consider(genericStates);
  consider(specificStates);
  return length > 0 ? length : std::min(text.find(", "), text.size());
}

std::vector<std::string_view> statesIn(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const auto length = lengthOfFirst(text);
    found.push_back(text.substr(0, length));
    text.remove_prefix(std::min(text.size(), length + 2));
  }
  return found;
}

bool isOf(int sensorType, std::string_view words) {
  return std::ranges::any_of(
      specificStates, [&](const DiscreteState& state) { return state.code == sensorType && state.words == words; });
}

// Words that two tables share say the same of the host.
Health healthOf(std::string_view words) {
  if (const auto* found = std::ranges::find(genericStates, words, &DiscreteState::words);
      found != std::end(genericStates))
    return found->health;
  const auto* found = std::ranges::find(specificStates, words, &DiscreteState::words);
  return found != std::end(specificStates) ? found->health : unjudged;
}

bool isRedundancy(const std::vector<std::string_view>& states) {
  return std::ranges::any_of(genericStates, [&](const DiscreteState& state) {
    return state.code == redundancyCode && std::ranges::find(states, state.words) != states.end();
  });
}

// The sensor's type is not told: it is one that has all the words, as far as any has them; where several have, the
// entity decides.
std::string_view partKindIn(std::vector<std::string_view> states, std::string_view kindOfEntity) {
  if (isRedundancy(states)) return "redundancy";
  std::erase_if(states, [](auto words) {
    return std::ranges::find(specificStates, words, &DiscreteState::words) == std::end(specificStates);
  });
  std::set<std::string_view> kinds;
  for (const auto& type : sensorTypes)
    if (!states.empty() && std::ranges::all_of(states, [&](auto words) { return isOf(type.code, words); }))
      kinds.insert(type.kind);
  return kinds.size() != 1 || kinds.contains(kindOfEntity) ? kindOfEntity : *kinds.begin();
}

struct DiscreteRow {
  std::string_view name, entityText, states;
  int entity = 0;
};

// "PS2 Status,03h,ok,10.2,Presence detected, Failure detected": before "ok" the sensor's number, or its reading and
// unit. A name may hold commas.
constexpr std::string_view read = ",ok,", notRead = ",ns,";

std::optional<DiscreteRow> rowIn(std::string_view line, std::string_view mark) {
  for (auto at = line.find(mark); at != std::string_view::npos; at = line.find(mark, at + 1)) {
    const auto head = line.substr(0, at);
    const auto tail = line.substr(at + mark.size());
    const auto entityEnds = tail.find(',');
    const auto number = head.rfind(',');
    if (entityEnds == std::string_view::npos || number == std::string_view::npos) continue;
    const auto entity = entityIn(tail.substr(0, entityEnds));
    if (!entity) continue;
    const bool isNumber = head.ends_with('h');
    const auto reading = isNumber ? std::string_view::npos : head.substr(0, number).rfind(',');
    if (!isNumber && reading == std::string_view::npos) continue;
    return DiscreteRow{.name = base::trimmed(head.substr(0, isNumber ? number : reading)),
                       .entityText = tail.substr(0, entityEnds),
                       .states = base::trimmed(tail.substr(entityEnds + 1)),
                       .entity = *entity};
  }
  return std::nullopt;
}

Health healthIn(const std::vector<std::string_view>& states) {
  auto health = unjudged;
  for (const auto words : states) health = std::max(health, healthOf(words));
  return health;
}

}  // namespace

std::optional<Component> discretePartIn(std::string_view line) {
  const auto row = rowIn(line, read);
  if (!row) return std::nullopt;
  const auto told = base::cutText(row->states, longestStates);
  const auto states = statesIn(told);
  const auto health = healthIn(states);
  const auto kind = partKindIn(states, partKindOf(row->entity));
  if (kind.empty() && health == unjudged) return std::nullopt;
  return Component{.path = {},
                   .kind = std::string(kind.empty() ? "other" : kind),
                   .name = std::string(row->name),
                   .state = told,
                   .health = health == unjudged ? std::string() : std::string(toText(health))};
}

std::optional<RaisedBy> raisedByRow(std::string_view line) {
  const auto told = rowIn(line, read);
  const auto row = told ? told : rowIn(line, notRead);
  if (!row) return std::nullopt;
  const auto health = told ? healthIn(statesIn(told->states)) : Health::unknown;
  if (told && health <= Health::ok) return std::nullopt;
  return RaisedBy{.part = fmt::format("{}\n{}", row->name, row->entityText), .health = health};
}

}  // namespace ingot::bmc::ipmi
