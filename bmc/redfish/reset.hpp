// Which Redfish ResetType does what was asked, given what the BMC allows (spec/bmc.md §6). Pure.
#pragma once

#include "bmc/model/power.hpp"
#include "bmc/redfish/error_body.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc::redfish {

// Redfish PowerState → Power; transitional states count as where they lead, unknown words as unknown.
[[nodiscard]] Power powerOf(const std::optional<std::string>& powerState);

// ResetTypes to try in this order. `allowed` empty: the BMC does not say, all may be tried. Empty result: no way.
// PushPowerButton toggles, so it is offered only when `current` makes it mean what was asked.
[[nodiscard]] std::vector<std::string> resetTypes(PowerAction action, Power current,
                                                  const std::vector<std::string>& allowed);

// A vendor's own action that takes the input power away for a moment (spec/bmc.md §6.6).
struct VendorReset {
  std::string_view path;  // below the system
  std::string_view resetType;
};
[[nodiscard]] std::optional<VendorReset> vendorAcCycle(std::string_view vendor);  // nullopt: none is known

enum class RefusalMeaning {
  alreadyThere,  // "host is already powered off"
  retryLater,    // refused for a moment only (iDRAC for up to a minute after a power-off): send it again
  unsupported,   // this ResetType is not known: try the next
  final,
};

// Whether the BMC may have acted although it answered with a server error. A reset that is harmless when repeated
// counts as not done, and 503 says that nothing was begun.
[[nodiscard]] bool mayHaveActed(int status, std::string_view resetType);
// Likewise where it took the reset and the task of that ended badly with `body`.
[[nodiscard]] bool mayHaveActedInTask(const ErrorBody& body, std::string_view resetType);

// `wanted` unknown: a restart, which no state proves.
[[nodiscard]] RefusalMeaning judge(int status, const ErrorBody& body, Power wanted);

}  // namespace ingot::bmc::redfish
