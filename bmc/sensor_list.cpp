#include "bmc/sensor_list.hpp"

#include "base/cut_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ingot::bmc {

namespace {

constexpr std::size_t longestSensorName = 1024;  // bytes; it is cut again once the password is out of it
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
  const auto name = sensor.name;
  for (int number = 2; !names_.insert(sensor.kind + "\n" + sensor.name).second; ++number)
    sensor.name = fmt::format("{} {}", name, number);
  found_.readings.push_back(std::move(sensor));
}

void SensorList::note(std::string why) {
  if (found_.unread.size() < mostNotes) found_.unread.push_back(std::move(why));
}

Sensors SensorList::take() { return std::move(found_); }

}  // namespace ingot::bmc
