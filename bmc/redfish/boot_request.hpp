// How a change of what a system boots from is put to its BMC (spec/bmc.md §7). Pure.
#pragma once

#include "bmc/model/boot.hpp"
#include "bmc/quirks.hpp"
#include "json/value.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc::redfish {

// What a system says of its boot; a member that it shows as null is told by its settings object, where it has one.
struct BootState {
  std::string target, enabled, mode, httpUri;
  std::string pendingEnabled;        // of the settings object: it may be taken over at the next boot
  std::vector<std::string> targets;  // allowable; empty: it does not say
};

[[nodiscard]] BootState bootStateIn(const json::Value& system, const json::Value& settings);

// The Redfish name of a device at this BMC; nullopt where the BMC does not offer it.
[[nodiscard]] std::optional<std::string> bootTarget(BootDevice device, const BootState& now, const Quirks& quirks);

// Members of Boot; none: it is so. `enabled` is Once, Continuous or Disabled, `mode` the one that is wanted, if any.
[[nodiscard]] json::Object bootChange(const BootState& now, const std::string& target, const std::string& enabled,
                                      std::optional<BootMode> mode, const Quirks& quirks);
[[nodiscard]] json::Object bootModeChange(const BootState& now, BootMode mode, const Quirks& quirks);
[[nodiscard]] bool isInMode(const BootState& now, BootMode mode);

// Some take a member at the settings object alone: what that one has is written there.
struct BootWrites {
  json::Object settings, system;
};
[[nodiscard]] BootWrites splitBoot(const json::Object& change, const json::Value& settings);

}  // namespace ingot::bmc::redfish
