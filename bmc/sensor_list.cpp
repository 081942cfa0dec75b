#include "bmc/sensor_list.hpp"

#include "base/cut_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ingot::bmc {

namespace {

constexpr std::size_t longestSensorName = 1024;  // bytes; it is cut again once the password is out of it
constexpr std::size_t mostNotes = 8;

bool isUnwell(const Component& part) { return parseHealth(part.health).value_or(Health::unknown) >= Health::warning; }

}  // namespace

void SensorList::add(Sensor sensor) {
  sensor.name = base::cutText(base::trimmed(sensor.name), longestSensorName);
  sensor.context = base::cutText(base::trimmed(sensor.context), longestSensorName);
  if (sensor.name.empty() || !std::isfinite(sensor.value)) return;
  if (isFull()) return noteOnce(leftSensorsOut_, mostSensors, "sensors");
  sensor.name = unique(sensor.kind, sensor.name);
  found_.readings.push_back(std::move(sensor));
}

void SensorList::addPart(Component part) {
  part.name = base::cutText(base::trimmed(part.name), longestSensorName);
  if (part.name.empty()) return;
  if (found_.parts.size() >= mostParts) {
    noteLeftOut();
    const auto well = std::find_if_not(found_.parts.rbegin(), found_.parts.rend(), isUnwell);
    if (!isUnwell(part) || well == found_.parts.rend()) return;
    found_.parts.erase(std::next(well).base());
  }
  part.name = unique("part " + part.kind, part.name);
  found_.parts.push_back(std::move(part));
}

void SensorList::noteLeftOut() { noteOnce(leftPartsOut_, mostParts, "parts"); }

std::string SensorList::unique(const std::string& kind, const std::string& name) {
  auto found = name;
  for (int number = 2; !names_.insert(fmt::format("{}\n{}", kind, found)).second; ++number)
    found = fmt::format("{} {}", name, number);
  return found;
}

void SensorList::noteOnce(bool& noted, std::size_t most, std::string_view what) {
  if (!std::exchange(noted, true)) note(fmt::format("more than {} {}: the rest was left out", most, what));
}

void SensorList::note(std::string why) {
  if (found_.unread.size() < mostNotes) found_.unread.push_back(std::move(why));
}

Sensors SensorList::take() { return std::move(found_); }

}  // namespace ingot::bmc
