// Redfish over HTTP(S).
#pragma once

#include "bmc/driver.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/message_registry.hpp"

namespace ingot::bmc::redfish {

class RedfishDriver final : public Driver {
 public:
  RedfishDriver(base::Runtime runtime, net::HttpTransport& transport, Target target);

  [[nodiscard]] base::Task<Identity> identify() override;
  [[nodiscard]] base::Task<PowerReading> readPower() override;
  [[nodiscard]] base::Task<Health> readHealth() override;
  [[nodiscard]] base::Task<Inventory> readInventory(InTurn inTurn) override;
  [[nodiscard]] base::Task<void> requestPower(PowerAction action, WritePermit permit) override;
  [[nodiscard]] base::Task<void> close() override;

 private:
  [[nodiscard]] base::Task<std::string> firmwareOf(std::string managerPath);
  [[nodiscard]] base::Task<System> system();
  [[nodiscard]] base::Task<std::string> findSystem();
  [[nodiscard]] base::Task<std::vector<std::string>> systemPaths();
  [[nodiscard]] base::Task<std::vector<std::string>> allowedResets(ResetAction action);
  // True when accepted or already there; false when this ResetType is not supported.
  [[nodiscard]] base::Task<bool> tryReset(std::string target, std::string resetType, Power wanted, WritePermit permit);

  [[nodiscard]] base::Task<bool> isInWantedState(int status, Power wanted);

  base::Runtime runtime_;
  std::string baseUrl_;
  std::string systemPath_;  // "" until known
  Connection connection_;
  MessageRegistry messages_;
};

}  // namespace ingot::bmc::redfish
