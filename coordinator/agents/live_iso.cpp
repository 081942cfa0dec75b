#include "coordinator/agents/live_iso.hpp"

#include "coordinator/agents/bmc_access.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestUrl = 2048;

}  // namespace

std::string whyNotByAgent(const LiveIso& wanted) {
  if (wanted.bootMode == "UEFISecureBoot")
    return "bootMode UEFISecureBoot takes Ironic; set it to UEFI, or switch secure boot on by hand";
  if (const auto length = wanted.url.size(); length > longestUrl)
    return fmt::format("image.url has {} characters; at most {} fit a BMC", length, longestUrl);
  if (speaksIpmi(wanted.bmcAddress)) return "a BMC behind IPMI has no virtual media, which a live ISO is booted from";
  return {};
}

bmc::BootPlan liveBoot(const std::string& image, const std::string& bootMode) {
  return {.image = image,
          .setting = {.device = bmc::BootDevice::cdrom,
                      .persistent = true,
                      .mode = bootMode == "legacy" ? bmc::BootMode::legacy : bmc::BootMode::uefi}};
}

}  // namespace ingot::coordinator::agents
