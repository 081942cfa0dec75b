#include "bmc/model/boot.hpp"

#include "bmc/model/words.hpp"

namespace ingot::bmc {

namespace {

constexpr WordTable<BootDevice, 6> bootDevices{{{BootDevice::none, "none"},
                                                {BootDevice::disk, "disk"},
                                                {BootDevice::pxe, "pxe"},
                                                {BootDevice::cdrom, "cdrom"},
                                                {BootDevice::bios, "bios"},
                                                {BootDevice::uefiHttp, "uefihttp"}}};

constexpr WordTable<BootMode, 2> bootModes{{{BootMode::uefi, "uefi"}, {BootMode::legacy, "legacy"}}};

}  // namespace

std::string_view toText(BootDevice device) { return textOf(bootDevices, device); }
std::string_view toText(BootMode mode) { return textOf(bootModes, mode); }
std::optional<BootDevice> parseBootDevice(std::string_view text) { return wordOf(bootDevices, text); }
std::optional<BootMode> parseBootMode(std::string_view text) { return wordOf(bootModes, text); }

}  // namespace ingot::bmc
