#include "bmc/redacted_capabilities.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"
#include "bmc/each_capability.hpp"
#include "bmc/sensor_list.hpp"

namespace ingot::bmc {

namespace {

constexpr std::size_t longestError = 2048, longestWord = 256, longestLabel = 64;
constexpr std::size_t longestImage = 4096;
constexpr std::size_t mostLogs = 8, mostNotes = 8;

// What may be shown of what a BMC says. A struct is taken apart by all of its members: one more does not compile until
// somebody has decided what becomes of it.
class Redaction {
 public:
  explicit Redaction(base::Secret password) : password_(std::move(password)) {}

  [[nodiscard]] std::string line(std::string text) const {
    return base::oneLine(base::redacted(std::move(text), password_), longestError);
  }

  [[nodiscard]] Identity shown(Identity identity) const {
    auto& [vendor, manufacturer, model, serialNumber, systemUuid, bmcFirmware] = identity;  // vendor: our own word
    redact(manufacturer, model, serialNumber, systemUuid, bmcFirmware);
    return identity;
  }

  [[nodiscard]] PowerReading shown(PowerReading reading) const {
    auto& [power, raw, bootProgress, health, asked] = reading;
    redact(raw, bootProgress);
    return reading;
  }

  [[nodiscard]] HealthReading shown(HealthReading reading) const {
    [[maybe_unused]] const auto& [health, asked] = reading;
    return reading;
  }

  [[nodiscard]] Inventory shown(Inventory inventory) const {
    eachText(inventory, [this](std::string& text) { redact(text); });
    for (auto& what : inventory.untold) redact(what);
    return inventory;
  }

  [[nodiscard]] SensorReading shown(SensorReading reading) const {
    auto& [sensors, raised, asked, raisedBy] = reading;  // raisedBy: the agent alone sees it
    eachText(sensors, [this](std::string& text) { redact(text); });
    SensorList once;  // again: names that were cut may have become the same
    for (auto& sensor : sensors.readings) {
      for (auto* label : {&sensor.name, &sensor.context}) *label = base::cutText(*label, longestLabel);
      once.add(std::move(sensor));
    }
    for (auto& part : sensors.parts) {
      part.name = base::cutText(part.name, longestLabel);
      once.addPart(std::move(part));
    }
    auto unique = once.take();
    sensors.readings = std::move(unique.readings);
    sensors.parts = std::move(unique.parts);
    return reading;
  }

  [[nodiscard]] LogReading shown(LogReading reading) const {
    auto& [tails, unread, asked, clockAhead] = reading;
    if (tails.size() > mostLogs) tails.resize(mostLogs);
    if (unread.size() > mostNotes) unread.resize(mostNotes);
    for (auto& tail : tails) eachText(tail, [this](std::string& text) { redact(text); });
    for (auto& why : unread) redact(why);
    return reading;
  }

  [[nodiscard]] static base::Duration shown(base::Duration stood) { return stood; }
  [[nodiscard]] static BootLasts shown(BootLasts lasts) { return lasts; }

  // The paths go back to the BMC as they are.
  [[nodiscard]] ErasableDrive shown(ErasableDrive drive) const {
    auto& [path, eraseTarget, controller, name, vendor, model, serialNumber, kind, bytes, methods, unfit, busy,
           trouble] = drive;
    redact(name, vendor, model, serialNumber, kind, unfit, trouble);
    return drive;
  }

  [[nodiscard]] ErasureProgress shown(ErasureProgress progress) const {
    auto& [state, percent, error, task, since] = progress;  // the task goes back as well
    redact(error);
    return progress;
  }

  template <class One>
  [[nodiscard]] std::vector<One> shown(std::vector<One> all) const {
    for (auto& one : all) one = shown(std::move(one));
    return all;
  }

  template <class One>
  [[nodiscard]] std::optional<One> shown(std::optional<One> one) const {
    if (one) one = shown(std::move(*one));
    return one;
  }

 private:
  void redact(auto&... texts) const {
    ((texts = base::oneLine(base::redacted(std::move(texts), password_), longestWord)), ...);
  }

  base::Secret password_;
};

// Nothing of a capability is reached but through this, so no function of it can be passed on as it is.
template <class Of>
class Redacting : public Of {
 public:
  Redacting(std::shared_ptr<Of> of, const base::Secret& password) : of_(std::move(of)), redaction_(password) {}

 protected:
  // What it returns is shown as Redaction says. A plain text is not known to it: see rawly().
  template <class Result, class... Parameters>
  [[nodiscard]] base::Task<Result> through(base::Task<Result> (Of::*function)(Parameters...),
                                           std::type_identity_t<Parameters>... arguments) {
    if constexpr (std::is_void_v<Result>)
      co_await rawly(function, std::move(arguments)...);
    else
      co_return redaction_.shown(co_await rawly(function, std::move(arguments)...));
  }

  // What it throws is redacted; what it returns is the caller's to judge.
  template <class Result, class... Parameters>
  [[nodiscard]] base::Task<Result> rawly(base::Task<Result> (Of::*function)(Parameters...),
                                         std::type_identity_t<Parameters>... arguments) {
    try {
      co_return co_await ((*of_).*function)(std::move(arguments)...);
    } catch (const Error& error) {
      throw Error(error.code(), redaction_.line(error.what()), error.origin());
    }
  }

  [[nodiscard]] std::string line(std::string text) const { return redaction_.line(std::move(text)); }

 private:
  std::shared_ptr<Of> of_;
  Redaction redaction_;
};

template <class Of>
class Redacted;

template <>
class Redacted<PowerControl> final : public Redacting<PowerControl> {
 public:
  using Redacting::Redacting;
  base::Task<PowerReading> readPower(Lane lane) override { return through(&PowerControl::readPower, lane); }
  base::Task<void> checkOffers(Lane lane, PowerAction action) override {
    return through(&PowerControl::checkOffers, lane, action);
  }
  base::Task<void> requestPower(Lane lane, PowerAction action, WritePermit permit) override {
    return through(&PowerControl::requestPower, lane, action, std::move(permit));
  }
};

template <>
class Redacted<IdentitySource> final : public Redacting<IdentitySource> {
 public:
  using Redacting::Redacting;
  base::Task<Identity> identify(Lane lane) override { return through(&IdentitySource::identify, lane); }
};

template <>
class Redacted<HealthSource> final : public Redacting<HealthSource> {
 public:
  using Redacting::Redacting;
  base::Task<HealthReading> readHealth(Lane lane) override { return through(&HealthSource::readHealth, lane); }
};

template <>
class Redacted<InventorySource> final : public Redacting<InventorySource> {
 public:
  using Redacting::Redacting;
  base::Task<Inventory> readInventory(Lane lane) override { return through(&InventorySource::readInventory, lane); }
};

template <>
class Redacted<SensorSource> final : public Redacting<SensorSource> {
 public:
  using Redacting::Redacting;
  base::Task<SensorReading> readSensors(Lane lane) override { return through(&SensorSource::readSensors, lane); }
};

template <>
class Redacted<LogSource> final : public Redacting<LogSource> {
 public:
  using Redacting::Redacting;
  base::Task<LogReading> readLogs(Lane lane, LogMarks marks) override {
    return through(&LogSource::readLogs, lane, std::move(marks));
  }
};

template <>
class Redacted<BootControl> final : public Redacting<BootControl> {
 public:
  using Redacting::Redacting;
  base::Task<BootLasts> setBoot(Lane lane, BootSetting setting, WritePermit permit) override {
    return through(&BootControl::setBoot, lane, setting, std::move(permit));
  }
};

template <>
class Redacted<MediaControl> final : public Redacting<MediaControl> {
 public:
  using Redacting::Redacting;
  base::Task<void> insertMedia(Lane lane, std::string image, WritePermit permit) override {
    return through(&MediaControl::insertMedia, lane, std::move(image), std::move(permit));
  }
  base::Task<void> ejectMedia(Lane lane, WritePermit permit) override {
    return through(&MediaControl::ejectMedia, lane, std::move(permit));
  }
  base::Task<std::string> insertedMedia(Lane lane) override {
    auto image = co_await rawly(&MediaControl::insertedMedia, lane);
    co_return image.size() > longestImage ? std::string() : image;  // compared, never shown
  }
};

template <>
class Redacted<EventSource> final : public Redacting<EventSource> {
 public:
  using Redacting::Redacting;
  base::Task<base::Duration> followEvents(Lane lane, OnEvent onEvent) override {
    return through(&EventSource::followEvents, lane, std::move(onEvent));
  }
};

template <>
class Redacted<ErasureControl> final : public Redacting<ErasureControl> {
 public:
  using Redacting::Redacting;
  base::Task<std::vector<ErasableDrive>> readDrives(Lane lane) override {
    return through(&ErasureControl::readDrives, lane);
  }
  base::Task<std::optional<ErasableDrive>> readDrive(Lane lane, std::string path) override {
    return through(&ErasureControl::readDrive, lane, std::move(path));
  }
  base::Task<std::string> eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method, WritePermit permit) override {
    return rawly(&ErasureControl::eraseDrive, lane, std::move(drive), method, std::move(permit));  // the task
  }
  base::Task<ErasureProgress> lookAtErasure(Lane lane, std::string task) override {
    return through(&ErasureControl::lookAtErasure, lane, std::move(task));
  }
};

template <>
class Redacted<CleaningControl> final : public Redacting<CleaningControl> {
 public:
  using Redacting::Redacting;
  base::Task<std::string> cleanUp(Lane lane, CleaningStep step, WritePermit permit) override {
    co_return line(co_await rawly(&CleaningControl::cleanUp, lane, step, std::move(permit)));
  }
};

}  // namespace

Driver redacted(Driver driver, const base::Secret& password) {
  Capabilities& all = driver;
  eachCapability(all, [&]<class Of>(Offered<Of>& offered) {
    if (offered) offered = std::make_shared<Redacted<Of>>(offered.shared(), password);
  });
  return driver;
}

}  // namespace ingot::bmc
