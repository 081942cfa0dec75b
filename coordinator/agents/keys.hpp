// The coordinator's own key pair: agents are given its public half. In the data folder, or in a Secret of the cluster.
#pragma once

#include "kube/client/client.hpp"
#include "wire/link.hpp"

namespace ingot::coordinator::agents {

// `dataDir` not empty: files coordinator.pub and coordinator.key (0600) in it. Else the Secret ingot-coordinator-keys
// in `namespace_`, made at the first call. Throws base::Error or kube::Error.
[[nodiscard]] base::Task<wire::KeyPair> coordinatorKeys(kube::Client& client, std::string dataDir,
                                                        std::string namespace_);

}  // namespace ingot::coordinator::agents
