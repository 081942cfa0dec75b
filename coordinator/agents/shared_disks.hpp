// Disks that the inspections of several hosts have found: in an enclosure that machines share.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "bmc/model/erasure.hpp"
#include "kube/runtime/cache.hpp"

#include <string>

namespace ingot::coordinator::agents {

// Why the disks that this order has erased may not be, since another host may be using them; "": they may. `uid`: of
// the host. Looks at all hosts.
[[nodiscard]] std::string otherWithDisk(const kube::Cache<api::BareMetalHost>& hosts, const std::string& uid,
                                        const bmc::EraseOrder& order);

}  // namespace ingot::coordinator::agents
