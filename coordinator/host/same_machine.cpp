#include "coordinator/host/same_machine.hpp"

#include "base/text.hpp"
#include "bmc/model/address.hpp"
#include "bmc/model/mac.hpp"

namespace ingot::coordinator::host {
namespace {

// "": it has none that can be read.
std::string bmcOf(const api::BareMetalHost& host) {
  try {
    const bmc::Address address = bmc::parseAddress(host.spec.bmc.address);
    const bool isUsual = address.port.empty() || address.port == "443" || address.port == "80" || address.port == "623";
    if (address.host.empty()) return "";
    return base::lower(isUsual ? address.host : address.authority) + address.path;
  } catch (const bmc::AddressError&) {
    return "";
  }
}

}  // namespace

std::vector<std::string> machineNames(const api::BareMetalHost& host) {
  std::vector<std::string> names;
  if (std::string bmc = bmcOf(host); !bmc.empty()) names.push_back("bmc " + std::move(bmc));
  if (const auto mac = bmc::normaliseMac(host.spec.bootMACAddress)) names.push_back("mac " + *mac);
  return names;
}

}  // namespace ingot::coordinator::host
