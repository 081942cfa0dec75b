// The power of a system (spec/bmc.md §6).
#pragma once

#include "bmc/capability/power.hpp"
#include "bmc/redfish/host.hpp"
#include "bmc/redfish/task.hpp"

namespace ingot::bmc::redfish {

class HostPower final : public PowerControl {
 public:
  explicit HostPower(std::shared_ptr<Host> host) : host_(std::move(host)) {}

  [[nodiscard]] base::Task<PowerReading> readPower(Lane lane) override;
  [[nodiscard]] base::Task<void> checkOffers(Lane lane, PowerAction action) override;
  [[nodiscard]] base::Task<void> requestPower(Lane lane, PowerAction action, WritePermit permit) override;

 private:
  [[nodiscard]] base::Task<bool> hasRested(Lane lane, PowerAction action);
  [[nodiscard]] base::Task<System> systemToSwitch(Lane lane);
  [[nodiscard]] base::Task<std::vector<std::string>> allowedResets(Lane lane, ResetAction action);
  struct ResetWay {
    std::string target, type;
  };
  // To be tried in this order. Error{unsupported}: there is none.
  [[nodiscard]] base::Task<std::vector<ResetWay>> resetWays(Lane lane, System system, PowerAction action);
  // True when accepted or already there; false when this ResetType is not supported.
  [[nodiscard]] base::Task<bool> tryReset(Lane lane, ResetWay way, PowerAction action, WritePermit permit);
  struct Declined {
    Refusal refusal;
    std::optional<TaskView> task;  // it had taken it, and said so in this
  };
  [[nodiscard]] base::Task<std::optional<Declined>> ask(Lane lane, ResetWay way, PowerAction action,
                                                        WritePermit permit);
  [[nodiscard]] base::Task<std::optional<TaskView>> failureOf(Lane lane, std::string task);
  [[nodiscard]] base::Task<Error> failure(Lane lane, ResetWay way, Declined declined);
  [[nodiscard]] base::Task<bool> isInWantedState(Lane lane, int status, Power wanted);

  std::shared_ptr<Host> host_;
};

[[nodiscard]] Health healthOf(const std::optional<Status>& status);

}  // namespace ingot::bmc::redfish
