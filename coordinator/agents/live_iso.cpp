#include "coordinator/agents/live_iso.hpp"

#include "coordinator/agents/bmc_access.hpp"

#include "net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestUrl = 2048;

constexpr std::array<std::string_view, 5> schemesForBmcs{"http", "https", "nfs", "cifs", "smb"};

bool isForBmcs(const std::string& url) {
  const auto parsed = net::parseUrl(url);
  return parsed && !parsed->host.empty() && std::ranges::find(schemesForBmcs, parsed->scheme) != schemesForBmcs.end();
}

}  // namespace

std::string whyNotByAgent(const LiveIso& wanted) {
  if (wanted.bootMode == "UEFISecureBoot")
    return "bootMode UEFISecureBoot takes Ironic; set it to UEFI, or switch secure boot on by hand";
  if (const auto length = wanted.url.size(); length > longestUrl)
    return fmt::format("image.url has {} characters; at most {} fit a BMC", length, longestUrl);
  if (!wanted.url.empty() && !isForBmcs(wanted.url))
    return "image.url is none that a BMC takes: a BMC fetches an image from http, https, nfs, cifs or smb only";
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
