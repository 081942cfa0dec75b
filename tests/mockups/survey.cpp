#include "tests/mockups/survey.hpp"

#include "bmc/bmc_pool.hpp"
#include "bmc/each_capability.hpp"
#include "json/describe.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/no_processes.hpp"

#include <algorithm>

namespace ingot::tests {

namespace {

constexpr auto origin = "https://bmc.example:443";

class Surveyor : Loop {
 public:
  explicit Surveyor(Mockup& mockup)
      : mockup_(mockup), transport_(runtime), pool_(runtime, {transport_, processes_}, {}) {
    transport_.serve(origin, mockup);
    driver_ = pool_.open(
        {.address = bmc::parseAddress("redfish://bmc.example"), .login = {"admin", base::Secret("a-password")}});
  }
  ~Surveyor() {
    run(driver_->close());
    run(transport_.close());
  }
  Surveyor(const Surveyor&) = delete;

  Survey take() {
    part("power", [&] { power(run(driver_->power->readPower(lane))); });
    part("identity", [&] { identity(run(driver_->identity->identify(lane))); });
    part("inventory", [&] { inventory(run(driver_->inventory->readInventory(lane))); });
    part("sensors", [&] { sensors(run(driver_->sensors->readSensors(lane))); });
    part("logs", [&] { logs(run(driver_->logs->readLogs(lane, {}))); });
    say("readings", fmt::format("{}, of {} resources", mockup_.reads, mockup_.resources()));
    return std::move(survey_);
  }

 private:
  static constexpr auto lane = bmc::Lane::reconcile;

  // An Error is an answer like any other: a fact is not to be had, and why is said.
  template <class Read>
  void part(std::string_view name, const Read& read) {
    try {
      read();
    } catch (const bmc::Error& error) {
      say(std::string(name), std::string("not to be had: ") + error.what());
    } catch (const std::exception& error) {
      survey_.faults.push_back(fmt::format("{}: {}", name, error.what()));
    }
  }

  void say(const std::string& what, const std::string& value) {
    survey_.text += what + ": " + (value.empty() ? "absent" : value) + "\n";
  }
  void say(const std::string& what, std::int64_t value) {
    say(what, value == 0 ? std::string() : std::to_string(value));
  }

  void power(const bmc::PowerReading& reading) {
    say("power", std::string(reading.power == bmc::Power::unknown ? "" : toText(reading.power)));
    say("health", std::string(reading.health ? toText(*reading.health) : ""));
  }

  void identity(const bmc::Identity& known) {
    say("identity.vendor", known.vendor);
    say("identity.manufacturer", known.manufacturer);
    say("identity.model", known.model);
    say("identity.serialNumber", known.serialNumber);
    say("identity.systemUuid", known.systemUuid);
    say("identity.bmcFirmware", known.bmcFirmware);
  }

  void inventory(const bmc::Inventory& found) {
    say("inventory.manufacturer", found.manufacturer);
    say("inventory.model", found.model);
    say("inventory.serialNumber", found.serialNumber);
    say("inventory.biosVersion", found.biosVersion);
    say("inventory.hostname", found.hostname);
    say("inventory.memoryMib", found.memoryMib);
    say("inventory.processors.architecture", found.processors.architecture);
    say("inventory.processors.model", found.processors.model);
    say("inventory.processors.megahertz", found.processors.megahertz);
    say("inventory.processors.threads", found.processors.threads);
    for (const auto& card : found.networkCards) networkCard(card);
    if (found.networkCards.empty()) say("inventory.networkCard", std::string());
    for (const auto& disk : found.disks)
      say("inventory.disk",
          fmt::format("{} {} {} {} {} {} {} bytes", disk.name, orAbsent(disk.kind), orAbsent(disk.vendor),
                      orAbsent(disk.model), orAbsent(disk.serialNumber), orAbsent(disk.wwn), disk.bytes));
    if (found.disks.empty()) say("inventory.disk", std::string());
    parts(found);
    unread("inventory", found.unread);
    say("drives in the mockup", static_cast<std::int64_t>(mockup_.countOf("Drive")));
  }

  void networkCard(const bmc::NetworkCard& card) {
    say("inventory.networkCard", fmt::format("{} {} {} {} Mbit/s {}", card.name, card.mac, orAbsent(card.model),
                                             card.megabitsPerSecond, fmt::join(card.addresses, " ")));
    const auto& [switchId, portId, systemName] = card.neighbour;
    say("inventory.networkCard " + card.name,
        fmt::format("link {}, VLAN {}, at switch {} {} port {}", orAbsent(card.link), card.vlanId, orAbsent(switchId),
                    orAbsent(systemName), orAbsent(portId)));
  }

  void parts(const bmc::Inventory& found) {
    say("inventory.biosReleaseDate", found.biosReleaseDate);
    for (const auto& one : found.firmware)
      say("inventory.firmware", fmt::format("{} {} {}{}", one.name, orAbsent(one.version), orAbsent(one.releaseDate),
                                            one.updateable ? " updateable" : ""));
    if (found.firmware.empty()) say("inventory.firmware", std::string());
    for (const auto& device : found.pcieDevices) {
      say("inventory.pcieDevice", fmt::format("{} {} {} {}", device.name, orAbsent(device.manufacturer),
                                              orAbsent(device.model), orAbsent(device.slot)));
      for (const auto& one : device.functions)
        say("inventory.pcieFunction", fmt::format("{} {} {}:{} {}:{} {}", one.deviceClass, one.classCode, one.vendorId,
                                                  one.deviceId, one.subsystemVendorId, one.subsystemId, one.revision));
    }
    if (found.pcieDevices.empty()) say("inventory.pcieDevice", std::string());
    for (const auto& one : found.components)
      say("inventory.component", fmt::format("{} {} {} {} {}", one.kind, one.path, orAbsent(one.name),
                                             orAbsent(one.state), orAbsent(one.health)));
  }

  static std::string thresholdText(const ingot::json::Value& thresholds) {
    std::string text;
    for (const auto& [name, value] : thresholds.get_object())
      text += fmt::format(" {}={}", std::string_view(name), value.to_number<double>());
    return text;
  }

  void sensors(const bmc::Sensors& found) {
    for (const auto& sensor : found.readings)
      say("sensor", fmt::format("{} {} {} {} {} {}{}", sensor.kind, sensor.name, sensor.value, sensor.unit,
                                orAbsent(sensor.context), orAbsent(sensor.health),
                                thresholdText(ingot::json::encode(sensor.thresholds))));
    if (found.readings.empty()) say("sensor", std::string());
    for (const auto& part : found.parts)
      say("part", fmt::format("{} {} {} {} {}", part.kind, part.name, orAbsent(part.path), orAbsent(part.state),
                              orAbsent(part.health)));
    unread("sensors", found.unread);
  }
  void sensors(const bmc::SensorReading& reading) { sensors(reading.sensors); }

  void logs(const bmc::LogReading& reading) {
    for (const auto& tail : reading.tails) {
      say("log " + tail.log, fmt::format("{} entries", tail.entries ? tail.entries->size() : 0));
      if (tail.entries && !tail.entries->empty()) {
        const auto& last = tail.entries->back();
        say("log " + tail.log + ", its last",
            fmt::format("{} {} {} {}", last.id, orAbsent(last.created), orAbsent(last.severity), last.message));
      }
    }
    if (reading.tails.empty()) say("log", std::string());
    unread("logs", reading.unread);
  }

  static std::string orAbsent(const std::string& text) { return text.empty() ? "-" : text; }

  // What is not there could not be read; what is there should have been.
  void unread(const std::string& what, const std::vector<std::string>& whys) {
    for (const auto& why : whys) {
      say(what + ".unread", why);
      const bool isMissing = std::ranges::any_of(
          mockup_.missing, [&](const std::string& path) { return why.find(path) != std::string::npos; });
      if (!isMissing) survey_.faults.push_back(what + ": " + why);
    }
  }

  Mockup& mockup_;
  net::Loopback transport_;
  NoProcesses processes_;
  bmc::BmcPool pool_;
  std::unique_ptr<bmc::Driver> driver_;
  Survey survey_;
};

}  // namespace

Survey surveyOf(Mockup& mockup) { return Surveyor(mockup).take(); }

}  // namespace ingot::tests
