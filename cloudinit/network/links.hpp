// links: bonds, then ethernets, then VLANs, each in the order of the template.
#pragma once

#include "api/capm3/v1beta2/network_links.hpp"
#include "cloudinit/document.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit::network {

[[nodiscard]] json::Array renderLinks(const Field& field, const api::capm3::v1beta2::NetworkLinks& wanted,
                                      const Snapshot& snapshot);

}  // namespace ingot::cloudinit::network
