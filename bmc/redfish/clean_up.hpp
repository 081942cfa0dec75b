// Steps of a cleaning that a Redfish BMC takes by itself (spec/bmc.md §18).
#pragma once

#include "bmc/model/cleaning_step.hpp"
#include "bmc/redfish/boot_order.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/log_reader.hpp"

namespace ingot::bmc::redfish {

// A step says what it did, for people, and throws Error{unsupported} where the BMC offers no way. It lasts as long as
// the BMC answers. May be repeated.
class CleanUp {
 public:
  CleanUp(base::Clock& clock, Connection& connection, Lane lane, std::string systemPath, WritePermit permit)
      : clock_(clock),
        connection_(connection),
        lane_(lane),
        systemPath_(std::move(systemPath)),
        permit_(std::move(permit)) {}

  [[nodiscard]] base::Task<std::string> take(CleaningStep step);

 private:
  [[nodiscard]] base::Task<Error> refusal(std::string path, Refusal refusal);
  [[nodiscard]] base::Task<std::string> clearLogs();
  [[nodiscard]] base::Task<std::string> closeSessions();
  [[nodiscard]] base::Task<std::string> resetBootOrder();
  [[nodiscard]] base::Task<bool> isOfThisHostAlone(LogPlace place);
  [[nodiscard]] base::Task<bool> clearLog(LogPlace place);  // false: it cannot be cleared
  [[nodiscard]] base::Task<void> untilCleared(LogPlace place);
  [[nodiscard]] base::Task<std::vector<BootOption>> bootOptions(std::string collection);
  [[nodiscard]] base::Task<void> requireGone(std::vector<BootOption> removed, std::string collection);
  [[nodiscard]] base::Task<void> setBootOrder(std::vector<std::string> order);

  base::Clock& clock_;
  Connection& connection_;
  Lane lane_;
  std::string systemPath_;
  WritePermit permit_;
};

}  // namespace ingot::bmc::redfish
