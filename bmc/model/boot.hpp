// The words for what a host boots from that agents, the link and the coordinator share (spec/bmc.md §7.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ingot::bmc {

// `none`: as the firmware's own order says, no override.
enum class BootDevice { none, disk, pxe, cdrom, bios, uefiHttp };

enum class BootMode { uefi, legacy };

struct BootSetting {
  BootDevice device = BootDevice::none;
  bool persistent = false;       // for every boot from now on; else for the next one
  std::optional<BootMode> mode;  // nullopt: stays as it is

  friend bool operator==(const BootSetting&, const BootSetting&) = default;
};

// What a host is made ready to boot from (docs/decisions/0021).
struct BootPlan {
  std::string image;      // URL of what the virtual CD drive is to hold; "": nothing
  bool mayStay = false;   // an image that the BMC shows inserted already need not be inserted again
  bool whileOff = false;  // only for a host that is off: its power is read before the first write and after the last
  BootSetting setting;

  friend bool operator==(const BootPlan&, const BootPlan&) = default;
};

// How long a setting holds that was asked for as persistent: some BMCs take it for one boot only.
enum class BootLasts { once, always };

[[nodiscard]] std::string_view toText(BootDevice device);  // "none", "disk", "pxe", "cdrom", "bios", "uefihttp"
[[nodiscard]] std::string_view toText(BootMode mode);      // "uefi", "legacy"
[[nodiscard]] std::optional<BootDevice> parseBootDevice(std::string_view text);
[[nodiscard]] std::optional<BootMode> parseBootMode(std::string_view text);

}  // namespace ingot::bmc
