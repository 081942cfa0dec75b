// What agents have told of sensors: the latest of each host, in memory only, shown to Prometheus (spec/bmc.md §19.3).
#pragma once

#include "base/clock.hpp"
#include "kube/core/object_key.hpp"
#include "wire/messages.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::agents {

class SensorBook {
 public:
  // `believedFor`: once the readings are older they are shown no more. `facts`: an agent of ours sends no long texts
  // and lists; of one that has gone wrong so much is kept as a host can have.
  void take(const std::string& uid, const kube::ObjectKey& host, wire::SensorFacts facts, base::Duration believedFor,
            base::MonoTime now);
  void forget(const std::string& uid) { hosts_.erase(uid); }

  // Families bmh_temperature_celsius, bmh_fan_rpm, bmh_fan_ratio, bmh_voltage_volts, bmh_current_amperes,
  // bmh_power_watts and bmh_sensor_state (0 OK, 1 Warning, 2 Critical), with labels namespace, host, sensor and, where
  // it is told, context.
  void write(std::string& out, base::MonoTime now) const;

 private:
  struct Host {
    kube::ObjectKey key;
    base::MonoTime until{};
    std::vector<bmc::Sensor> readings;
  };
  std::map<std::string, Host> hosts_;  // by uid
};

}  // namespace ingot::coordinator::agents
