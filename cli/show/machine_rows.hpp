// Machines, clusters and addresses as rows of a table.
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/ipam/ip_address.hpp"
#include "cli/show/rows.hpp"

namespace ingot::cli {

// WAITS FOR is the reason of the first step that is not done; wide shows its message too.
[[nodiscard]] Row machineHeads(RowStyle style);
[[nodiscard]] Row machineRow(const api::capm3::v1beta2::Metal3Machine& machine, RowStyle style, base::WallTime now);

[[nodiscard]] Row clusterHeads(RowStyle style);
[[nodiscard]] Row clusterRow(const api::capm3::v1beta2::Metal3Cluster& cluster, RowStyle style, base::WallTime now);

[[nodiscard]] Row addressHeads(RowStyle style);
[[nodiscard]] Row addressRow(const api::ipam::IPAddress& address, RowStyle style, base::WallTime now);
[[nodiscard]] Row sharedAddressRow(const api::capi_ipam::IPAddress& address, RowStyle style, base::WallTime now);

}  // namespace ingot::cli
