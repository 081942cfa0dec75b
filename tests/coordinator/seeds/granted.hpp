// The rights that an installation gives the coordinator (coordinator/rights), beside those that lives of machines used.
#pragma once

#include <set>
#include <string>

namespace ingot::tests::seeds {

// As Traffic::used() has them: "patch metal3machines/status.infrastructure.cluster.x-k8s.io".
struct RightsCompared {
  std::set<std::string> denied;  // used, and not given
  std::set<std::string> unused;  // given for the Cluster API provider and the addresses, and not used
};
[[nodiscard]] RightsCompared comparedWithGranted(std::set<std::string> used);

}  // namespace ingot::tests::seeds
