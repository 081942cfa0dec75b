// The three sections of network data, one file each, and what they share.
#pragma once

#include "api/capm3/v1beta2/network_data.hpp"
#include "api/capm3/v1beta2/network_links.hpp"
#include "cloudinit/document.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit::network {

// links: bonds, then ethernets, then VLANs, each in the order of the template.
[[nodiscard]] json::Array renderLinks(const Field& field, const api::capm3::v1beta2::NetworkLinks& wanted,
                                      const Snapshot& snapshot);

struct Context {
  const Snapshot& snapshot;
  Refusals& refusals;
};

// networks: IPv4, IPv6, DHCPv4, DHCPv6, SLAAC, each in the order of the template.
[[nodiscard]] json::Array renderNetworks(const Field& field, const api::capm3::v1beta2::Networks& wanted,
                                         const Context& context);

[[nodiscard]] inline bool isGiven(const api::capm3::v1beta2::FromAnnotation& from) {
  return !from.object.empty() || !from.annotation.empty();
}

}  // namespace ingot::cloudinit::network
