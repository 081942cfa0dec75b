// IPMI 2.0 through the ipmitool program.
#pragma once

#include "bmc/driver.hpp"
#include "bmc/ipmi/command.hpp"

namespace ingot::bmc::ipmi {

class IpmiDriver final : public Driver {
 public:
  IpmiDriver(base::Runtime runtime, base::ProcessRunner& processes, Target target, std::string home = "");

  [[nodiscard]] base::Task<Identity> identify() override;
  [[nodiscard]] base::Task<PowerReading> readPower() override;
  [[nodiscard]] base::Task<Health> readHealth() override;
  [[nodiscard]] base::Task<Inventory> readInventory(InTurn inTurn) override;
  [[nodiscard]] base::Task<void> requestPower(PowerAction action, WritePermit permit) override;
  [[nodiscard]] base::Task<void> close() override;

 private:
  // May run twice: only for commands that change nothing.
  [[nodiscard]] base::Task<std::string> read(std::vector<std::string> command);
  // Sent once. A session that was never established did nothing, so another cipher suite may be tried.
  [[nodiscard]] base::Task<std::string> send(std::vector<std::string> command, WritePermit permit);
  [[nodiscard]] base::Task<base::ProcessResult> launch(Invocation to, std::vector<std::string> command,
                                                       base::Duration limit);
  [[nodiscard]] base::Task<base::ProcessResult> runWithKnownSuite(std::vector<std::string> command);
  [[nodiscard]] base::Task<Error> explain(std::vector<std::string> command, base::ProcessResult result);

  base::Runtime runtime_;
  base::ProcessRunner& processes_;
  Invocation invocation_;
  bool suiteKnown_ = false;
};

}  // namespace ingot::bmc::ipmi
