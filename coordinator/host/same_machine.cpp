#include "coordinator/host/same_machine.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/carried_status.hpp"
#include "api/bmh/names.hpp"
#include "base/text.hpp"
#include "bmc/model/address.hpp"
#include "bmc/model/mac.hpp"
#include "coordinator/host/other_host.hpp"
#include "coordinator/host/state.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host {
namespace {

// "": it has none that can be read.
std::string bmcOf(const api::BareMetalHost& host) {
  try {
    const bmc::Address address = bmc::parseAddress(host.spec.bmc.address);
    if (address.host.empty()) return "";
    const bool isIpmi = address.traits().protocol == bmc::Protocol::ipmi;
    const bool isUsual = address.port.empty() || address.port == (isIpmi ? "623" : address.tls ? "443" : "80");
    return base::lower(isUsual ? address.host : address.authority) + address.path;
  } catch (const bmc::AddressError&) {
    return "";
  }
}

bool isReleased(const api::BareMetalHost& host) {
  return host.metadata.beingDeleted() && !kube::hasFinalizer(host.metadata, api::finalizer::host);
}

bool saysRegistered(const api::BareMetalHostStatus& status) {
  if (!status.provisioning.ID.empty()) return true;
  const auto state = parseProvisioningState(status.provisioning.state);
  return state != State::none && state != State::unmanaged && state != State::registering;
}

// What a host carries counts until it is taken over. One that cannot be read may be of a machine in use.
api::BareMetalHostStatus carriedBy(const api::BareMetalHost& host) {
  try {
    return api::parseCarriedStatus(*api::findAnnotation(host, api::annotation::status));
  } catch (const std::exception&) {
    api::BareMetalHostStatus unknown;
    unknown.provisioning.state = text(State::provisioned);
    return unknown;
  }
}

// How good its claim to the machine's node is. 0: it has none, and gets none as it is.
int claimBy(const api::BareMetalHostStatus& status, const api::BareMetalHost& host) {
  if (status.operationalStatus == api::operational_status::detached || isReleased(host)) return 0;
  if (saysRegistered(status)) return 2;
  return host.spec.bmc.address.empty() ? 0 : 1;
}

int claimOf(const api::BareMetalHost& host) {
  return api::awaitsStatus(host) ? claimBy(carriedBy(host), host) : claimBy(host.status, host);
}

}  // namespace

std::vector<std::string> machineNames(const api::BareMetalHost& host) {
  std::vector<std::string> names;
  if (std::string bmc = bmcOf(host); !bmc.empty()) names.push_back("bmc " + std::move(bmc));
  if (const auto mac = bmc::normaliseMac(host.spec.bootMACAddress)) names.push_back("mac " + *mac);
  return names;
}

bool wasRegistered(const api::BareMetalHost& host) {
  return api::awaitsStatus(host) ? saysRegistered(carriedBy(host)) : saysRegistered(host.status);
}

bool claimsMachine(const api::BareMetalHost& host) { return claimOf(host) > 0; }

bool comesBefore(const api::BareMetalHost& one, const api::BareMetalHost& other) {
  const int claim = claimOf(one), otherClaim = claimOf(other);
  if (claim == 0) return false;
  if (claim != otherClaim) return claim > otherClaim;
  const auto& made = one.metadata.creationTimestamp;
  const auto& otherMade = other.metadata.creationTimestamp;
  return made != otherMade ? made < otherMade : one.metadata.key() < other.metadata.key();
}

std::string whyHeldBack(const api::BareMetalHost& host, const kube::ObjectKey& first) {
  return fmt::format(
      "{} names the same machine by its BMC address or boot MAC address, and comes first: this host is not registered "
      "while that one is there and names it",
      nameForUser(host.metadata.namespace_, first));
}

std::string whyHeldBackByUnreadable(const api::BareMetalHost& host, const kube::ObjectKey& unreadable) {
  return fmt::format(
      "whether {} names the same machine is not known, because it cannot be read: correct or delete it",
      nameForUser(host.metadata.namespace_, unreadable, "the BareMetalHost", "a BareMetalHost of another namespace"));
}

}  // namespace ingot::coordinator::host
