// What a host behind Redfish can do, beside its power (power.hpp).
#include "bmc/each_capability.hpp"
#include "bmc/redfish/boot_setter.hpp"
#include "bmc/redfish/clean_up.hpp"
#include "bmc/redfish/drive_eraser.hpp"
#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/inventory_reader.hpp"
#include "bmc/redfish/leak_reader.hpp"
#include "bmc/redfish/log_reader.hpp"
#include "bmc/redfish/media_drives.hpp"
#include "bmc/redfish/power.hpp"
#include "bmc/redfish/sensors_reader.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration logsKnownFor = std::chrono::hours(6);
constexpr base::Duration logsLookedForAgain = std::chrono::minutes(30);  // where not all could be looked at
constexpr base::Duration logsMissedFor = std::chrono::minutes(5);

template <class Of>
class HostCapability : public Of {
 public:
  explicit HostCapability(std::shared_ptr<Host> host) : host_(std::move(host)) {}

 protected:
  [[nodiscard]] Connection& connection() const { return host_->connection(); }
  [[nodiscard]] WritePermit untilEnd(WritePermit permit) const { return host_->use()->untilEnd(std::move(permit)); }

  std::shared_ptr<Host> host_;
};

class HostIdentity final : public HostCapability<IdentitySource> {
 public:
  using HostCapability::HostCapability;

  base::Task<Identity> identify(Lane lane) override {
    const auto system = (co_await host_->system(lane)).resource;
    const auto [known, quirks] = co_await host_->kind(lane, system);
    Identity identity{.vendor = known.vendor,
                      .manufacturer = textOf(system.manufacturer),
                      .model = known.model,
                      .serialNumber = textOf(system.serialNumber),
                      .systemUuid = textOf(system.uuid),
                      .bmcFirmware = known.bmcFirmware};
    if (quirks.has(Quirk::skuIsSerial) && system.sku) identity.serialNumber = textOf(system.sku);
    co_await connection().closeLeftSessions(lane);  // here nobody waits for it
    co_return identity;
  }
};

class HostHealth final : public HostCapability<HealthSource> {
 public:
  using HostCapability::HostCapability;

  base::Task<HealthReading> readHealth(Lane lane) override {
    const auto read = co_await host_->system(lane);
    co_return HealthReading{healthOf(read.resource.status), read.asked};
  }
};

class HostInventory final : public HostCapability<InventorySource> {
 public:
  using HostCapability::HostCapability;

  base::Task<Inventory> readInventory(Lane lane) override {
    auto known = co_await host_->quirks(lane);
    co_return co_await InventoryReader(connection(), lane, std::move(known)).read(co_await host_->path(lane));
  }
};

class HostSensors final : public HostCapability<SensorSource> {
 public:
  using HostCapability::HostCapability;

  base::Task<SensorReading> readSensors(Lane lane) override {
    auto path = co_await host_->path(lane);
    const auto asked = host_->clock().now();
    SensorsReader reader(connection(), lane, leaksNowhere_);
    auto sensors = co_await reader.read(std::move(path));
    co_return SensorReading{std::move(sensors), reader.worstLeak(), asked};
  }

 private:
  LeaksNowhere leaksNowhere_;
};

class HostLogs final : public HostCapability<LogSource> {
 public:
  using HostCapability::HostCapability;

  base::Task<LogReading> readLogs(Lane lane, LogMarks marks) override {
    auto path = co_await host_->path(lane);
    LogReader reader(connection(), lane);
    LogReading reading{.asked = host_->clock().now()};
    if (reading.asked >= logsUntil_) {
      logs_ = co_await reader.find(std::move(path));
      logsUntil_ = host_->clock().now() + (reader.unread().empty() ? logsKnownFor : logsLookedForAgain);
    }
    for (const auto& place : std::vector(logs_)) {
      if (auto tail = co_await reader.read(place, marks[place.log]))
        reading.tails.push_back(std::move(*tail));
      else
        logsUntil_ = std::min(logsUntil_, reading.asked + logsMissedFor);  // a new firmware may keep it elsewhere
    }
    reading.unread = std::move(reader.unread());
    reading.clockAhead = host_->bmc().clockAhead();
    co_return reading;
  }

 private:
  std::vector<LogPlace> logs_;
  base::MonoTime logsUntil_{};  // then they are looked for again
};

class HostBoot final : public HostCapability<BootControl> {
 public:
  using HostCapability::HostCapability;

  base::Task<BootLasts> setBoot(Lane lane, BootSetting setting, WritePermit permit) override {
    auto known = co_await host_->quirks(lane);
    BootSetter setter(host_->clock(), connection(), lane, co_await host_->path(lane), std::move(known));
    co_return co_await setter.set(setting, untilEnd(std::move(permit)));
  }
};

class HostMedia final : public HostCapability<MediaControl> {
 public:
  using HostCapability::HostCapability;

  base::Task<void> insertMedia(Lane lane, std::string image, WritePermit permit) override {
    auto found = co_await drives(lane);
    co_await found.insert(std::move(image), untilEnd(std::move(permit)));
  }

  base::Task<void> ejectMedia(Lane lane, WritePermit permit) override {
    auto found = co_await drives(lane);
    try {
      co_await found.eject(untilEnd(std::move(permit)));
    } catch (const Error& error) {
      if (error.code() == Error::Code::unsupported)
        host_->log().info("virtual drives that others share were left as they are, whatever is in them",
                          {{"bmc", host_->baseUrl()}, {"why", printable(connection().redacted(error.what()))}});
      throw;
    }
  }

  base::Task<std::string> insertedMedia(Lane lane) override {
    auto found = co_await drives(lane);
    co_return co_await found.inserted();
  }

 private:
  base::Task<MediaDrives> drives(Lane lane) {
    auto known = co_await host_->quirks(lane);
    co_return MediaDrives(host_->clock(), connection(), lane, co_await host_->path(lane), std::move(known), own_);
  }

  std::optional<MediaDrives::Placed> own_;  // as far as this process knows
};

class HostEvents final : public HostCapability<EventSource> {
 public:
  using HostCapability::HostCapability;

  base::Task<base::Duration> followEvents(Lane lane, OnEvent onEvent) override {
    host_->use()->check();
    co_return co_await host_->bmc().events().follow(lane, std::move(onEvent));
  }
};

class HostErasure final : public HostCapability<ErasureControl> {
 public:
  using HostCapability::HostCapability;

  base::Task<std::vector<ErasableDrive>> readDrives(Lane lane) override {
    auto path = co_await host_->path(lane);
    DriveEraser eraser(connection(), lane);
    co_return co_await eraser.drives(std::move(path));
  }

  base::Task<std::optional<ErasableDrive>> readDrive(Lane lane, std::string path) override {
    host_->use()->check();
    DriveEraser eraser(connection(), lane);
    co_return co_await eraser.drive(std::move(path));
  }

  base::Task<std::string> eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method, WritePermit permit) override {
    host_->use()->check();
    DriveEraser eraser(connection(), lane);
    co_return co_await eraser.erase(std::move(drive), method, untilEnd(std::move(permit)));
  }

  base::Task<ErasureProgress> lookAtErasure(Lane lane, std::string task) override {
    host_->use()->check();
    DriveEraser eraser(connection(), lane);
    co_return co_await eraser.look(std::move(task));
  }
};

class HostCleaning final : public HostCapability<CleaningControl> {
 public:
  using HostCapability::HostCapability;

  base::Task<std::string> cleanUp(Lane lane, CleaningStep step, WritePermit permit) override {
    CleanUp cleanUp(host_->clock(), connection(), lane, co_await host_->path(lane), untilEnd(std::move(permit)));
    co_return co_await cleanUp.take(step);
  }
};

}  // namespace

Driver RedfishBmc::host(const Address& address) {
  const auto host = std::make_shared<Host>(runtime_, std::static_pointer_cast<RedfishBmc>(shared_from_this()), address);
  return {{.power = std::make_shared<HostPower>(host),
           .identity = std::make_shared<HostIdentity>(host),
           .health = std::make_shared<HostHealth>(host),
           .inventory = std::make_shared<HostInventory>(host),
           .sensors = std::make_shared<HostSensors>(host),
           .logs = std::make_shared<HostLogs>(host),
           .boot = std::make_shared<HostBoot>(host),
           .media = std::make_shared<HostMedia>(host),
           .events = std::make_shared<HostEvents>(host),
           .erasure = std::make_shared<HostErasure>(host),
           .cleaning = std::make_shared<HostCleaning>(host)},
          host->use()};
}

}  // namespace ingot::bmc::redfish
