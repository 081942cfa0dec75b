// The latest that agents have told of each host, in memory only, for Prometheus and who asks (spec/bmc.md §19.3).
#pragma once

#include "base/clock.hpp"
#include "bmc/model/power.hpp"
#include "coordinator/agents/fact_store.hpp"
#include "kube/core/object_key.hpp"
#include "wire/messages.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>

namespace ingot::coordinator::agents {

class ReadingBook {
 public:
  // Of mostReadings in all, parts among them; more are left out, parts first, and bmh_sensors_left_out tells of how
  // many hosts.
  static constexpr std::size_t mostReadings = 200'000;

  // `believedFor`: once the readings are older they are shown no more. `facts`: an agent of ours sends no long texts
  // and lists; of one that has gone wrong so much is kept as a host can have.
  void take(const std::string& uid, const kube::ObjectKey& host, wire::SensorFacts facts, base::Duration believedFor,
            base::MonoTime now);
  // Of memory, processors and drives, as many as parts, and in all as many as readings; those that are not well go
  // first. Shown until then.
  void takeComponents(const std::string& uid, const kube::ObjectKey& host, std::vector<bmc::Component> components,
                      base::MonoTime until);
  // What is unknown, or older than `until`, is not shown.
  struct State {
    bmc::Power power = bmc::Power::unknown;
    bmc::Health health = bmc::Health::unknown;
    bool bmcAnswers = false;
    std::string bootProgress = {};                 // as old as the power
    std::string bmcErrorCode = {}, bmcError = {};  // why the BMC does not answer
    std::vector<UnreadFact> unread = {};           // of it, though it answers
  };
  struct Until {
    base::MonoTime power{}, health{}, told{};
  };
  void note(const std::string& uid, const kube::ObjectKey& host, State state, Until until);
  void forget(const std::string& uid);

  struct Told {
    std::string sensors;  // a bmc::Sensors as JSON
    base::Duration age{};
    std::string bootProgress;  // Redfish's word, of now; "" when not known
  };
  // nullopt: nothing is believed of the host's sensors any more, or never was.
  [[nodiscard]] std::optional<Told> find(const kube::ObjectKey& host, base::MonoTime now) const;

  // Why an agent does not read that of the host ("sensors", "logs", "hardware"); nullopt: none says that it does not.
  struct Obstacle {
    std::string code, error;
    std::optional<base::Duration> age;  // since it began; nullopt: not told
  };
  [[nodiscard]] std::optional<Obstacle> obstacle(const kube::ObjectKey& host, std::string_view what,
                                                 base::MonoTime now) const;

  // Families bmh_bmc_up (0, 1), bmh_power_state (0 off, 1 on), bmh_health_state (0 OK, 1 Warning, 2 Critical) with
  // labels namespace and host; bmh_temperature_celsius, bmh_fan_rpm, bmh_fan_ratio, bmh_voltage_volts,
  // bmh_current_amperes, bmh_power_watts and bmh_sensor_state (0 OK, 1 Warning, 2 Critical), with labels namespace,
  // host, sensor, of the last one kind, and, where it is told, context; bmh_component_state (likewise) with labels
  // namespace, host, component and kind.
  void write(std::string& out, base::MonoTime now) const;

 private:
  // What is written is made when it is told, family by family: a scrape only puts it together.
  static constexpr std::size_t familyCount = 8, sensorStates = familyCount - 2, componentStates = familyCount - 1;
  struct Host {
    kube::ObjectKey key;
    std::string componentLines;
    base::MonoTime componentsUntil{};
    base::MonoTime until{}, at{};  // of the readings
    std::string document;          // a bmc::Sensors as JSON
    std::array<std::string, familyCount> lines;
    std::size_t readings = 0;    // that are shown, parts among them
    std::size_t components = 0;  // likewise
    bool isLeftOut = false;
    std::optional<State> state;
    Until stateUntil;
  };
  [[nodiscard]] const Host* hostCalled(const kube::ObjectKey& key) const;  // nullptr: there is none
  static void addLines(Host& host, const bmc::Sensor& sensor);
  [[nodiscard]] static std::string lineOf(const kube::ObjectKey& host, const bmc::Component& part);
  void writeStates(std::string& out, base::MonoTime now) const;
  void writeSensors(std::string& out, base::MonoTime now) const;

  std::size_t readings_ = 0, components_ = 0;  // of all hosts
  std::map<std::string, Host> hosts_;          // by uid
};

}  // namespace ingot::coordinator::agents
