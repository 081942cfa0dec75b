// Where in the cluster this process is.
#pragma once

#include "coordinator/options.hpp"
#include "kube/client/config.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator {

// Of the Lease and of the agents' keys. That of the pod: $POD_NAMESPACE, else its account's, as controller-runtime
// reads it. Outside of a pod the first of
// --namespace, else "default".
[[nodiscard]] std::string ownNamespace(const Options& options, const kube::Environment& environment,
                                       const std::optional<kube::ClusterConfig>& cluster);

// $POD_NAME, else $HOSTNAME, which is a pod's name; "" where neither is set.
[[nodiscard]] std::string ownPod(const kube::Environment& environment);

}  // namespace ingot::coordinator
