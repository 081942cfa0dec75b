#include "bmc/sensor_list.hpp"

#include "base/cut_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ingot::bmc {

namespace {

constexpr std::size_t longestSensorName = 64;  // bytes: it becomes a label
constexpr std::size_t mostNotes = 8;

}  // namespace

void SensorList::add(Sensor sensor) {
  sensor.name = base::cutText(base::trimmed(sensor.name), longestSensorName);
  sensor.context = base::cutText(base::trimmed(sensor.context), longestSensorName);
  if (sensor.name.empty() || !std::isfinite(sensor.value)) return;
  if (isFull()) {
    if (!std::exchange(leftSomeOut_, true))
      note(fmt::format("more than {} sensors: the rest was left out", mostSensors));
    return;
  }
  const int before = names_[sensor.kind + "\n" + sensor.name]++;
  if (before > 0) sensor.name += fmt::format(" {}", before + 1);
  found_.readings.push_back(std::move(sensor));
}

void SensorList::note(std::string why) {
  if (found_.unread.size() < mostNotes) found_.unread.push_back(std::move(why));
}

Sensors SensorList::take() { return std::move(found_); }

}  // namespace ingot::bmc
