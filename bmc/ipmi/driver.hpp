// IPMI 2.0 through the ipmitool program.
#pragma once

#include "bmc/bmc.hpp"
#include "bmc/ipmi/connection.hpp"

namespace ingot::bmc::ipmi {

class IpmiBmc final : public Bmc {
 public:
  IpmiBmc(base::Runtime runtime, base::ProcessRunner& processes, const Target& target, std::shared_ptr<Traffic> traffic,
          std::string home);

  [[nodiscard]] std::unique_ptr<Driver> host(const Address& address) override;
  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  base::Task<void> logOut() override;

  Connection connection_;
};

// IPMI knows one host a BMC.
class IpmiDriver final : public Driver {
 public:
  explicit IpmiDriver(std::shared_ptr<IpmiBmc> bmc) : bmc_(std::move(bmc)), use_(bmc_) {}

  [[nodiscard]] base::Task<Identity> identify(Lane lane) override;
  [[nodiscard]] base::Task<PowerReading> readPower(Lane lane) override;
  [[nodiscard]] base::Task<HealthReading> readHealth(Lane lane) override;
  [[nodiscard]] base::Task<Inventory> readInventory(Lane lane) override;
  [[nodiscard]] base::Task<SensorReading> readSensors(Lane lane) override;
  [[nodiscard]] base::Task<LogReading> readLogs(Lane lane, LogMarks marks) override;
  [[nodiscard]] base::Task<base::Duration> followEvents(Lane lane, OnEvent onEvent) override;
  [[nodiscard]] base::Task<void> checkOffers(Lane lane, PowerAction action) override;
  [[nodiscard]] base::Task<void> requestPower(Lane lane, PowerAction action, WritePermit permit) override;
  [[nodiscard]] base::Task<BootLasts> setBoot(Lane lane, BootSetting setting, WritePermit permit) override;
  [[nodiscard]] base::Task<void> insertMedia(Lane lane, std::string image, WritePermit permit) override;
  [[nodiscard]] base::Task<void> ejectMedia(Lane lane, WritePermit permit) override;
  [[nodiscard]] base::Task<std::string> insertedMedia(Lane lane) override;
  [[nodiscard]] base::Task<std::vector<ErasableDrive>> readDrives(Lane lane) override;
  [[nodiscard]] base::Task<std::optional<ErasableDrive>> readDrive(Lane lane, std::string path) override;
  [[nodiscard]] base::Task<std::string> eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method,
                                                   WritePermit permit) override;
  [[nodiscard]] base::Task<ErasureProgress> lookAtErasure(Lane lane, std::string task) override;
  [[nodiscard]] base::Task<std::string> cleanUp(Lane lane, CleaningStep step, WritePermit permit) override;
  [[nodiscard]] base::Task<void> close() override;

 private:
  [[nodiscard]] base::Task<Connection::Answer> read(Lane lane, std::vector<std::string> command);

  std::shared_ptr<IpmiBmc> bmc_;
  BmcUse use_;
};

}  // namespace ingot::bmc::ipmi
