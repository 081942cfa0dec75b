#include "coordinator/host/same_machine.hpp"

#include "base/text.hpp"
#include "bmc/model/address.hpp"
#include "bmc/model/mac.hpp"
#include "coordinator/host/state.hpp"

#include <fmt/format.h>

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

// By its status. One in a state that only another version knows has come further, too.
bool wasRegistered(const api::BareMetalHost& host) {
  if (!host.status.provisioning.ID.empty()) return true;
  const auto state = parseProvisioningState(host.status.provisioning.state);
  return state != State::none && state != State::unmanaged && state != State::registering;
}

// How good its claim to the machine's node is. One without a BMC that was never registered gets none.
int claimOf(const api::BareMetalHost& host) {
  if (wasRegistered(host)) return 2;
  return host.spec.bmc.address.empty() ? 0 : 1;
}

}  // namespace

std::vector<std::string> machineNames(const api::BareMetalHost& host) {
  std::vector<std::string> names;
  if (std::string bmc = bmcOf(host); !bmc.empty()) names.push_back("bmc " + std::move(bmc));
  if (const auto mac = bmc::normaliseMac(host.spec.bootMACAddress)) names.push_back("mac " + *mac);
  return names;
}

bool comesBefore(const api::BareMetalHost& one, const api::BareMetalHost& other) {
  if (claimOf(one) != claimOf(other)) return claimOf(one) > claimOf(other);
  const auto& made = one.metadata.creationTimestamp;
  const auto& otherMade = other.metadata.creationTimestamp;
  return made != otherMade ? made < otherMade : one.metadata.key() < other.metadata.key();
}

std::string whyHeldBack(const api::BareMetalHost& host, const api::BareMetalHost& first) {
  const auto& [namespace_, name] = first.metadata.key();
  return fmt::format(
      "{} names the same machine by its BMC address or boot MAC address, and comes first: this host is not registered "
      "while that one is there and names it",
      namespace_ == host.metadata.namespace_ ? fmt::format("host {}/{}", namespace_, name) : "another host");
}

}  // namespace ingot::coordinator::host
