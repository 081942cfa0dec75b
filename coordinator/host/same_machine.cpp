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

MachineClaim::Rank rankBy(const api::BareMetalHostStatus& status, const api::BareMetalHost& host) {
  using enum MachineClaim::Rank;
  if (status.operationalStatus == api::operational_status::detached || isReleased(host)) return none;
  if (saysRegistered(status)) return registered;
  return host.spec.bmc.address.empty() ? none : unregistered;
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

MachineClaim claimOf(const api::BareMetalHost& host) {
  return {.rank = api::awaitsStatus(host) ? rankBy(carriedBy(host), host) : rankBy(host.status, host),
          .made = host.metadata.creationTimestamp,
          .host = host.metadata.key()};
}

bool comesBefore(const MachineClaim& one, const MachineClaim& other) {
  if (!one.stands()) return false;
  if (one.rank != other.rank) return one.rank > other.rank;
  return one.made != other.made ? one.made < other.made : one.host < other.host;
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
