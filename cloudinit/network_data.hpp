// The networkData of a machine (spec/capm3.md §17.2): OpenStack's network_data.json, as YAML.
#pragma once

#include "api/capm3/v1beta2/network_data.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit {

// Always with links, networks and services. Throws RenderError; also where upstream writes nonsense (a netmask out of
// range). What is only doubtful (a bond without members, a VLAN on no link) is rendered: see findings.hpp.
[[nodiscard]] std::string renderNetworkData(const api::capm3::v1beta2::NetworkData& wanted, const Snapshot& snapshot);

}  // namespace ingot::cloudinit
