#include "bmc/ipmi/lan.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ingot::bmc::ipmi {

namespace {

constexpr std::size_t bytesOfMac = 6, bytesOfIpv4 = 4;

// Transport, Get LAN Configuration Parameters, the channel of the session, parameter, no set, no block.
std::vector<std::string> askFor(std::string_view parameter) {
  return {"raw", "0x0c", "0x02", "0x0e", std::string(parameter), "0x00", "0x00"};
}

// " 11 aa bb cc": what follows the revision of the parameter. Empty for another count, and for nothing but zeros.
std::vector<unsigned> bytesIn(std::string_view output, std::size_t count) {
  std::vector<unsigned> bytes;
  for (output = base::trimmed(output); !output.empty(); output = base::trimmed(output)) {
    const auto end = std::min(output.find_first_of(" \n"), output.size());
    unsigned byte = 0;
    const auto [rest, ec] = std::from_chars(output.data(), output.data() + end, byte, 16);
    if (ec != std::errc() || rest != output.data() + end || byte > 0xff || bytes.size() > count) return {};
    bytes.push_back(byte);
    output.remove_prefix(end);
  }
  if (bytes.size() != count + 1) return {};
  bytes.erase(bytes.begin());
  return std::ranges::all_of(bytes, [](unsigned byte) { return byte == 0; }) ? std::vector<unsigned>() : bytes;
}

}  // namespace

std::vector<std::string> askForMac() { return askFor("0x05"); }

std::vector<std::string> askForAddress() { return askFor("0x03"); }

std::string parseMac(std::string_view output) {
  return fmt::format("{:02x}", fmt::join(bytesIn(output, bytesOfMac), ":"));
}

std::string parseIpv4(std::string_view output) {
  return fmt::format("{}", fmt::join(bytesIn(output, bytesOfIpv4), "."));
}

}  // namespace ingot::bmc::ipmi
