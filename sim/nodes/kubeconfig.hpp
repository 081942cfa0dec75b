// The way into a cluster, as kubectl keeps it.
#pragma once

#include "sim/kubelet/api.hpp"

#include <string>

namespace ingot::sim::nodes {

// The current context's server and user: certificates and keys as data or files (relative to the kubeconfig), tokens,
// tokenFile. Throws base::InvalidInput naming the file and what it lacks.
[[nodiscard]] kubelet::Access readKubeconfig(const std::string& path);

}  // namespace ingot::sim::nodes
