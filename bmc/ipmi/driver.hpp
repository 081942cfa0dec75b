// IPMI 2.0 through the ipmitool program.
#pragma once

#include "bmc/bmc.hpp"
#include "bmc/capability/boot.hpp"
#include "bmc/capability/health.hpp"
#include "bmc/capability/identity.hpp"
#include "bmc/capability/inventory.hpp"
#include "bmc/capability/logs.hpp"
#include "bmc/capability/power.hpp"
#include "bmc/capability/sensors.hpp"
#include "bmc/ipmi/connection.hpp"

namespace ingot::bmc::ipmi {

class IpmiBmc final : public Bmc {
 public:
  IpmiBmc(base::Runtime runtime, base::ProcessRunner& processes, const Target& target, std::shared_ptr<Traffic> traffic,
          std::string home);

  [[nodiscard]] Driver host(const Address& address) override;
  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  base::Task<void> logOut() override;

  Connection connection_;
};

// IPMI knows one host a BMC.
class IpmiDriver final : public PowerControl,
                         public IdentitySource,
                         public HealthSource,
                         public InventorySource,
                         public SensorSource,
                         public LogSource,
                         public BootControl {
 public:
  IpmiDriver(std::shared_ptr<IpmiBmc> bmc, std::shared_ptr<BmcUse> use) : bmc_(std::move(bmc)), use_(std::move(use)) {}

  [[nodiscard]] base::Task<Identity> identify(Lane lane) override;
  [[nodiscard]] base::Task<PowerReading> readPower(Lane lane) override;
  [[nodiscard]] base::Task<HealthReading> readHealth(Lane lane) override;
  [[nodiscard]] base::Task<Inventory> readInventory(Lane lane) override;
  [[nodiscard]] base::Task<SensorReading> readSensors(Lane lane) override;
  [[nodiscard]] base::Task<LogReading> readLogs(Lane lane, LogMarks marks) override;
  [[nodiscard]] base::Task<void> checkOffers(Lane lane, PowerAction action) override;
  [[nodiscard]] base::Task<void> requestPower(Lane lane, PowerAction action, WritePermit permit) override;
  [[nodiscard]] base::Task<BootLasts> setBoot(Lane lane, BootSetting setting, WritePermit permit) override;

 private:
  [[nodiscard]] base::Task<Connection::Answer> read(Lane lane, std::vector<std::string> command);

  std::shared_ptr<IpmiBmc> bmc_;
  std::shared_ptr<BmcUse> use_;
};

}  // namespace ingot::bmc::ipmi
