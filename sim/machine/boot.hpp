// What a server may boot from, and what its BMC was told about it.
#pragma once

#include "json/enum.hpp"

#include <string>

namespace ingot::sim {

// Names as Redfish has them.
enum class BootDevice { none, pxe, hdd, cd, usb, usbCd, biosSetup, uefiHttp };
constexpr auto namesOf(BootDevice) {
  return std::to_array<json::EnumName<BootDevice>>({{BootDevice::none, "None"},
                                                    {BootDevice::pxe, "Pxe"},
                                                    {BootDevice::hdd, "Hdd"},
                                                    {BootDevice::cd, "Cd"},
                                                    {BootDevice::usb, "Usb"},
                                                    {BootDevice::usbCd, "UsbCd"},
                                                    {BootDevice::biosSetup, "BiosSetup"},
                                                    {BootDevice::uefiHttp, "UefiHttp"}});
}

enum class OverrideEnabled { disabled, once, continuous };
constexpr auto namesOf(OverrideEnabled) {
  return std::to_array<json::EnumName<OverrideEnabled>>({{OverrideEnabled::disabled, "Disabled"},
                                                         {OverrideEnabled::once, "Once"},
                                                         {OverrideEnabled::continuous, "Continuous"}});
}

struct BootOverride {
  BootDevice target = BootDevice::none;
  OverrideEnabled enabled = OverrideEnabled::disabled;
  bool uefi = true;
  std::string httpUri;
};

}  // namespace ingot::sim
