// Sets what a system boots from (spec/bmc.md §7).
#pragma once

#include "bmc/redfish/boot_request.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/write_permit.hpp"

namespace ingot::bmc::redfish {

class BootSetter {
 public:
  BootSetter(base::Clock& clock, Connection& connection, Lane lane, std::string systemPath, Quirks quirks)
      : clock_(clock),
        connection_(connection),
        lane_(lane),
        systemPath_(std::move(systemPath)),
        quirks_(std::move(quirks)) {}

  // As BootControl::setBoot().
  [[nodiscard]] base::Task<BootLasts> set(BootSetting setting, WritePermit permit);

  // The persistent order, as the BMC shows it afterwards, or will at the next boot. Throws Error.
  [[nodiscard]] base::Task<void> setOrder(std::vector<std::string> order, WritePermit permit);

 private:
  struct Resources {
    json::Value system, settings;  // settings: null where there are none
    std::string systemEtag, settingsEtag, settingsPath;
  };
  [[nodiscard]] base::Task<Resources> read();
  [[nodiscard]] base::Task<void> setMode(BootMode mode, WritePermit permit);
  // What the BMC shows afterwards.
  [[nodiscard]] base::Task<std::variant<BootLasts, Refusal>> setDevice(BootSetting setting, std::string enabled,
                                                                       WritePermit permit);
  // A host in POST, or after a power change, refuses changes for a while.
  [[nodiscard]] base::Task<std::optional<Refusal>> write(Resources resources, json::Object change, WritePermit permit);
  [[nodiscard]] base::Task<std::optional<Refusal>> writeOnce(Resources resources, json::Object change,
                                                             WritePermit permit);
  [[nodiscard]] base::Task<BootLasts> pending(std::string target, BootLasts wanted);
  [[nodiscard]] base::Task<BootLasts> shown(std::string target, std::string enabled);
  [[nodiscard]] base::Task<Error> failure(Refusal refusal);

  base::Clock& clock_;
  Connection& connection_;
  Lane lane_;
  std::string systemPath_;
  Quirks quirks_;
};

}  // namespace ingot::bmc::redfish
