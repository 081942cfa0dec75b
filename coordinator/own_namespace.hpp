// The namespace of the Lease and of the agents' keys.
#pragma once

#include "coordinator/options.hpp"
#include "kube/client/config.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator {

// That of the pod: $POD_NAMESPACE, else its account's, as controller-runtime reads it. Outside of a pod the first of
// --namespace, else "default".
[[nodiscard]] std::string ownNamespace(const Options& options, const kube::Environment& environment,
                                       const std::optional<kube::ClusterConfig>& cluster);

}  // namespace ingot::coordinator
