// The persistent boot order of a system without what operating systems have left in it (spec/bmc.md §7.6). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc::redfish {

struct BootOption {
  std::string path;       // of its resource
  std::string reference;  // in the boot order
  std::string name;
  std::string devicePath;  // UEFI's
  bool takesDelete = false;
};

// A file on a partition of a disk: an operating system's loader. Firmware makes its own entries anew, of whole devices.
// Not so where the path tells that the disk is none of the host's drives: of a storage network, a stick.
[[nodiscard]] bool isLeftBySystem(const BootOption& option);

struct BootOrderReset {
  std::vector<BootOption> remove;
  std::vector<std::string> order;  // what is left, and last of all what cannot be removed
  bool changesOrder = false;       // the removals alone do not lead there
};
[[nodiscard]] BootOrderReset planBootOrder(const std::vector<std::string>& order,
                                           const std::vector<BootOption>& options);

}  // namespace ingot::bmc::redfish
