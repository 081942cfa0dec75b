// networks: IPv4, IPv6, DHCPv4, DHCPv6, SLAAC, each in the order of the template.
#pragma once

#include "api/capm3/v1beta2/network_data.hpp"
#include "cloudinit/document.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit::network {

struct Context {
  const Snapshot& snapshot;
  Refusals& refusals;
};

[[nodiscard]] json::Array renderNetworks(const Field& field, const api::capm3::v1beta2::Networks& wanted,
                                         const Context& context);

}  // namespace ingot::cloudinit::network
