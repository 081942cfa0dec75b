#include "bmc/redfish/reset.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace ingot::bmc::redfish {

namespace {

std::vector<std::string> candidates(PowerAction action, Power current) {
  switch (action) {
    case PowerAction::on:
      return current == Power::off ? std::vector<std::string>{"On", "ForceOn", "PushPowerButton"}
                                   : std::vector<std::string>{"On", "ForceOn"};
    case PowerAction::hardOff:
      return current == Power::on ? std::vector<std::string>{"ForceOff", "PushPowerButton"}
                                  : std::vector<std::string>{"ForceOff"};
    case PowerAction::softOff:
      return current == Power::on ? std::vector<std::string>{"GracefulShutdown", "PushPowerButton"}
                                  : std::vector<std::string>{"GracefulShutdown"};
    case PowerAction::hardReboot: return {"ForceRestart", "PowerCycle"};
    case PowerAction::softReboot: return {"GracefulRestart"};
    case PowerAction::hardRestart: return {"ForceRestart", "PowerCycle", "GracefulRestart"};  // iLO knows the last
    case PowerAction::nmi: return {"Nmi"};
    case PowerAction::acCycle: return {"FullPowerCycle"};  // as if input power were removed and restored
  }
  return {};
}

// Messages of a BMC that does not know this ResetType: another one may do.
constexpr std::string_view sayUnsupported[] = {"ActionParameterNotSupported",     "ActionParameterValueNotInList",
                                               "ActionParameterValueFormatError", "ActionParameterValueTypeError",
                                               "ActionParameterUnknown",          "ActionNotSupported",
                                               "PropertyValueNotInList",          "PropertyValueFormatError"};

bool isHarmlessTwice(std::string_view resetType) {
  return resetType == "On" || resetType == "ForceOn" || resetType == "ForceOff";
}

bool saysAlready(const std::string& detail, Power wanted) {
  if (wanted == Power::unknown) return false;
  const std::string word = wanted == Power::off ? "off" : "on";
  return detail.find("host is powered " + word) != std::string::npos ||
         detail.find("already powered " + word) != std::string::npos;
}

}  // namespace

Power powerOf(const std::optional<std::string>& powerState) {
  if (!powerState) return Power::unknown;
  if (*powerState == "On" || *powerState == "PoweringOn") return Power::on;
  if (*powerState == "Off" || *powerState == "PoweringOff") return Power::off;
  return Power::unknown;
}

std::vector<std::string> resetTypes(PowerAction action, Power current, const std::vector<std::string>& allowed) {
  auto types = candidates(action, current);
  if (!allowed.empty())
    std::erase_if(types, [&](const std::string& type) { return std::ranges::find(allowed, type) == allowed.end(); });
  return types;
}

std::optional<VendorReset> vendorAcCycle(std::string_view vendor) {
  if (vendor == "hpe") return VendorReset{"/Actions/Oem/Hpe/HpeComputerSystemExt.SystemReset", "AuxCycle"};
  if (vendor == "lenovo") return VendorReset{"/Actions/Oem/LenovoComputerSystem.SystemReset", "ACPowerCycle"};
  if (vendor == "supermicro") return VendorReset{"/Actions/Oem/OemSystemExtensions.Reset", "ACCycle"};
  return std::nullopt;
}

bool mayHaveActed(int status, std::string_view resetType) {
  return status >= 500 && status != 503 && !isHarmlessTwice(resetType);
}

// Such a task ends so because of a fan that complained, too.
bool mayHaveActedInTask(const ErrorBody& body, std::string_view resetType) {
  return !body.saysNotNow() && !isHarmlessTwice(resetType);
}

RefusalMeaning judge(int status, const ErrorBody& body, Power wanted) {
  if (status == 409 && wanted == Power::on && body.has("ActionParameterValueConflict"))
    return RefusalMeaning::retryLater;
  if (body.saysNotNow() && (status == 400 || status >= 500)) return RefusalMeaning::retryLater;
  if ((status == 400 || status == 409) && saysAlready(base::lower(body.detail), wanted))
    return RefusalMeaning::alreadyThere;
  const bool unknownType =
      std::ranges::any_of(sayUnsupported, [&](std::string_view messageId) { return body.has(messageId); });
  if (status == 501 || (status == 400 && unknownType)) return RefusalMeaning::unsupported;
  return RefusalMeaning::final;
}

}  // namespace ingot::bmc::redfish
