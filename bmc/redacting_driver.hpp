// A BMC knows the password that it is sent, and what it says reaches error texts, logs and status fields.
#pragma once

#include "bmc/driver.hpp"

namespace ingot::bmc {

// Another driver whose errors and readings hold *** where the BMC repeated the password (base::redacted). Whatever the
// BMC says, an error is one line of at most 2 KiB, and each text of a reading one of at most 256 bytes.
class RedactingDriver final : public Driver {
 public:
  RedactingDriver(std::unique_ptr<Driver> driver, base::Secret password)
      : driver_(std::move(driver)), password_(std::move(password)) {}

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
  template <class T>
  [[nodiscard]] base::Task<T> redacting(base::Task<T> task);
  [[nodiscard]] std::string redacted(std::string text) const;
  [[nodiscard]] std::string word(std::string text) const;
  [[nodiscard]] ErasableDrive shown(ErasableDrive drive) const;

  std::unique_ptr<Driver> driver_;
  base::Secret password_;
};

}  // namespace ingot::bmc
