// A workload cluster that this process runs in itself: a management cluster that manages its own machines
// (spec/cluster-api.md §1.18).
#pragma once

#include "kube/client/config.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::workload {

// This process, as the downward API tells it of itself.
struct OwnPod {
  kube::ObjectKey key;
  std::string uid;
};

// $POD_NAMESPACE, $POD_NAME and $POD_UID; nullopt unless all of them are set.
[[nodiscard]] std::optional<OwnPod> ownPodIn(const kube::Environment& environment);

// The server and authority of the pod's account with the credentials of `config`; nullopt outside of a pod. `folder`:
// of the account.
[[nodiscard]] std::optional<kube::ClusterConfig> fromWithin(kube::ClusterConfig config,
                                                            const kube::Environment& environment,
                                                            std::string_view folder);

}  // namespace ingot::coordinator::workload
