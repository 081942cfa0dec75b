#include "coordinator/agents/reading_book.hpp"

#include "base/cut_text.hpp"
#include "base/metrics.hpp"
#include "base/milliseconds.hpp"

#include <cmath>
#include <set>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestLabel = 80, longestNote = 300, mostNotes = 8;

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

constexpr std::string_view leftOutName = "bmh_sensors_left_out";
constexpr std::string_view stateName = "bmh_sensor_state";
constexpr std::string_view stateHelp = "What a sensor of a host says of itself: 0 OK, 1 Warning, 2 Critical";
constexpr std::string_view componentName = "bmh_component_state";
constexpr std::string_view componentHelp = "Health of a part of a host, as its BMC judges: 0 OK, 1 Warning, 2 Critical";

// Its head once, before the first of its lines.
class FamilyText {
 public:
  FamilyText(std::string& out, std::string_view name, std::string_view help) : out_(out), name_(name), help_(help) {}

  void add(const std::string& lines) {
    if (!std::exchange(hasHead_, true)) out_ += base::metricHead(name_, help_);
    out_ += lines;
  }

 private:
  std::string& out_;
  std::string_view name_, help_;
  bool hasHead_ = false;
};

bool isOf(const Family& family, const bmc::Sensor& sensor) {
  return family.kind == sensor.kind && family.unit == sensor.unit;
}

bool isKnown(const bmc::Sensor& sensor) {
  return std::isfinite(sensor.value) &&
         std::ranges::any_of(families, [&](const Family& family) { return isOf(family, sensor); });
}

std::optional<double> numberOf(bmc::Health health) {
  switch (health) {
    case bmc::Health::ok: return 0;
    case bmc::Health::warning: return 1;
    case bmc::Health::critical: return 2;
    case bmc::Health::unknown: break;
  }
  return std::nullopt;
}

std::optional<double> stateOf(const std::string& health) {
  return numberOf(bmc::parseHealth(health).value_or(bmc::Health::unknown));
}

// A name is one only among those of its kind.
base::Labels labelsOf(const kube::ObjectKey& host, const bmc::Sensor& sensor, bool withKind) {
  base::Labels labels{{"namespace", host.namespace_}, {"host", host.name}, {"sensor", sensor.name}};
  if (withKind) labels.emplace_back("kind", sensor.kind);
  if (!sensor.context.empty()) labels.emplace_back("context", sensor.context);
  return labels;
}

void boundReadings(std::vector<bmc::Sensor>& readings) {
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(readings, [&](bmc::Sensor& sensor) {
    sensor.name = base::cutText(sensor.name, longestLabel);
    sensor.context = base::cutText(sensor.context, longestLabel);
    if (!bmc::parseHealth(sensor.health)) sensor.health.clear();
    return !isKnown(sensor) || !seen.emplace(sensor.kind, sensor.name).second;  // one series a name
  });
  if (readings.size() > bmc::mostSensors) readings.resize(bmc::mostSensors);
  readings.shrink_to_fit();
}

void boundParts(std::vector<bmc::Component>& parts) {
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(parts, [&](bmc::Component& part) {
    for (auto* text : {&part.name, &part.state}) *text = base::cutText(*text, longestLabel);
    part.path = base::cutText(part.path, longestNote);
    if (!bmc::parseHealth(part.health)) part.health.clear();
    const bool isKnownKind = std::ranges::find(bmc::partKinds, part.kind) != bmc::partKinds.end();
    return !isKnownKind || part.name.empty() || !seen.emplace(part.kind, part.name).second;
  });
  if (parts.size() > bmc::mostParts) parts.resize(bmc::mostParts);
  parts.shrink_to_fit();
}

bool isOfHardware(const bmc::Component& part) {
  return part.kind == "memory" || part.kind == "processor" || part.kind == "drive";
}

bool isWell(const bmc::Component& part) { return bmc::parseHealth(part.health) == bmc::Health::ok; }

// One series a kind and name: of several parts of one name, of the one that is worst.
std::vector<bmc::Component> shownOf(std::vector<bmc::Component> components) {
  std::vector<bmc::Component> shown;
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto health : {bmc::Health::critical, bmc::Health::warning, bmc::Health::ok})
    for (auto& part : components) {
      if (!isOfHardware(part) || part.name.empty() || bmc::parseHealth(part.health) != health) continue;
      part.name = base::cutText(part.name, longestLabel);
      if (shown.size() < bmc::mostParts && seen.emplace(part.kind, part.name).second) shown.push_back(std::move(part));
    }
  return shown;
}

void boundNotes(std::vector<std::string>& notes) {
  if (notes.size() > mostNotes) notes.resize(mostNotes);
  for (auto& note : notes) note = base::oneLine(std::move(note), longestNote);
}

}  // namespace

void ReadingBook::take(const std::string& uid, const kube::ObjectKey& host, wire::SensorFacts facts,
                       base::Duration believedFor, base::MonoTime now) {
  auto& [readings, parts, unread] = facts.sensors;
  boundReadings(readings);
  boundParts(parts);
  const auto age = std::max(base::Duration{}, base::fromMilliseconds(facts.ageMs));
  auto& kept = hosts_[uid];
  kept.key = host;
  kept.at = now - age;
  kept.until = kept.at + believedFor;
  readings_ -= std::exchange(kept.readings, 0);
  kept.lines = {};
  kept.document.clear();
  if (readings_ + readings.size() + parts.size() > mostReadings) parts.clear();
  const auto count = readings.size() + parts.size();
  kept.isLeftOut = readings_ + count > mostReadings;
  if (kept.isLeftOut) return;
  readings_ += kept.readings = count;
  for (const auto& sensor : readings) addLines(kept, sensor);
  for (const auto& part : parts) kept.lines[componentStates] += lineOf(host, part);
  // Its BMC tells of these by its sensors now: over another protocol than before.
  if (std::ranges::any_of(parts, isOfHardware)) takeComponents(uid, host, {}, now);
  boundNotes(unread);
  kept.document = json::serialize(json::encode(facts.sensors));
}

const ReadingBook::Host* ReadingBook::hostCalled(const kube::ObjectKey& key) const {
  const auto found = std::ranges::find_if(hosts_, [&](const auto& entry) { return entry.second.key == key; });
  return found == hosts_.end() ? nullptr : &found->second;
}

std::optional<ReadingBook::Told> ReadingBook::find(const kube::ObjectKey& host, base::MonoTime now) const {
  const auto* kept = hostCalled(host);
  if (kept == nullptr || kept->document.empty() || now > kept->until) return std::nullopt;
  const bool knowsBoot = kept->state && now <= kept->stateUntil.power;
  return Told{kept->document, now - kept->at, knowsBoot ? kept->state->bootProgress : ""};
}

std::optional<ReadingBook::Obstacle> ReadingBook::obstacle(const kube::ObjectKey& host, std::string_view what,
                                                           base::MonoTime now) const {
  const auto* kept = hostCalled(host);
  if (kept == nullptr || !kept->state || now > kept->stateUntil.told) return std::nullopt;
  const auto& state = *kept->state;
  if (!state.bmcAnswers) return Obstacle{.code = state.bmcErrorCode, .error = state.bmcError, .age = std::nullopt};
  const auto one = std::ranges::find(state.unread, what, &UnreadFact::what);
  if (one == state.unread.end()) return std::nullopt;
  return Obstacle{.code = one->code, .error = one->error, .age = std::max(base::Duration{}, now - one->since)};
}

void ReadingBook::addLines(Host& host, const bmc::Sensor& sensor) {
  const auto family = std::ranges::find_if(families, [&](const Family& one) { return isOf(one, sensor); });
  const auto place = static_cast<std::size_t>(family - std::begin(families));
  host.lines.at(place) +=
      base::metricLine(family->name, labelsOf(host.key, sensor, false), sensor.value * family->factor);
  if (const auto state = stateOf(sensor.health))
    host.lines[sensorStates] += base::metricLine(stateName, labelsOf(host.key, sensor, true), *state);
}

std::string ReadingBook::lineOf(const kube::ObjectKey& host, const bmc::Component& part) {
  const auto state = stateOf(part.health);
  if (!state) return {};
  return base::metricLine(
      componentName,
      {{"namespace", host.namespace_}, {"host", host.name}, {"component", part.name}, {"kind", part.kind}}, *state);
}

void ReadingBook::takeComponents(const std::string& uid, const kube::ObjectKey& host,
                                 std::vector<bmc::Component> components, base::MonoTime until) {
  components = shownOf(std::move(components));
  auto& kept = hosts_[uid];
  kept.key = host;
  kept.componentsUntil = until;
  kept.componentLines.clear();
  components_ -= std::exchange(kept.components, 0);
  if (components_ + components.size() > mostReadings) std::erase_if(components, isWell);
  components_ += kept.components = components.size();
  for (const auto& part : components) kept.componentLines += lineOf(host, part);
}

void ReadingBook::forget(const std::string& uid) {
  const auto found = hosts_.find(uid);
  if (found == hosts_.end()) return;
  readings_ -= found->second.readings;
  components_ -= found->second.components;
  hosts_.erase(found);
}

void ReadingBook::note(const std::string& uid, const kube::ObjectKey& host, State state, Until until) {
  auto& kept = hosts_[uid];
  kept.key = host;
  kept.state = std::move(state);
  kept.stateUntil = until;
}

void ReadingBook::write(std::string& out, base::MonoTime now) const {
  writeStates(out, now);
  writeSensors(out, now);
}

void ReadingBook::writeStates(std::string& out, base::MonoTime now) const {
  const auto writeAll = [&](std::string_view name, std::string_view help, const auto& valueOf) {
    FamilyText family(out, name, help);
    for (const auto& [uid, host] : hosts_) {
      const std::optional<double> value = host.state ? valueOf(host) : std::nullopt;
      if (!value) continue;
      family.add(base::metricLine(name, {{"namespace", host.key.namespace_}, {"host", host.key.name}}, *value));
    }
  };
  writeAll("bmh_bmc_up", "Whether the BMC of a host answers the agent that serves it", [&](const Host& host) {
    return now <= host.stateUntil.told ? std::optional(host.state->bmcAnswers ? 1.0 : 0.0) : std::nullopt;
  });
  writeAll("bmh_power_state", "Power of a host as an agent has read it: 0 off, 1 on", [&](const Host& host) {
    const auto power = now <= host.stateUntil.power ? host.state->power : bmc::Power::unknown;
    return power == bmc::Power::unknown ? std::nullopt : std::optional(power == bmc::Power::on ? 1.0 : 0.0);
  });
  writeAll(
      "bmh_health_state", "Health of a host as its BMC judges: 0 OK, 1 Warning, 2 Critical",
      [&](const Host& host) { return now <= host.stateUntil.health ? numberOf(host.state->health) : std::nullopt; });
}

void ReadingBook::writeSensors(std::string& out, base::MonoTime now) const {
  const auto writeAll = [&](std::size_t place, std::string_view name, std::string_view help) {
    FamilyText family(out, name, help);
    for (const auto& [uid, host] : hosts_) {
      if (now <= host.until && !host.lines.at(place).empty()) family.add(host.lines.at(place));
      if (place == componentStates && now <= host.componentsUntil && !host.componentLines.empty())
        family.add(host.componentLines);
    }
  };
  for (std::size_t i = 0; i < std::size(families); ++i) writeAll(i, families[i].name, families[i].help);
  writeAll(sensorStates, stateName, stateHelp);
  writeAll(componentStates, componentName, componentHelp);
  const auto leftOut = std::ranges::count_if(hosts_, [](const auto& entry) { return entry.second.isLeftOut; });
  if (leftOut == 0) return;
  FamilyText(out, leftOutName, "Hosts whose sensors are not shown, because there are too many")
      .add(base::metricLine(leftOutName, {}, static_cast<double>(leftOut)));
}

}  // namespace ingot::coordinator::agents
