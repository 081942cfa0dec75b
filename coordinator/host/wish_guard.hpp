// A decision on power stands as long as what it stands on.
#pragma once

#include "coordinator/host/scope.hpp"
#include "kube/runtime/cache.hpp"

namespace ingot::coordinator::host {

// Throws HostMoved unless what a user wants of the host's power is still as in `host`. The cache outlives it.
[[nodiscard]] inline std::function<void()> wishGuard(const kube::Cache<api::BareMetalHost>& hosts,
                                                     const api::BareMetalHost& host) {
  return [&hosts, key = host.metadata.key(), wish = powerWish(host)] {
    const auto now = hosts.find(key);
    if (!now || powerWish(*now) != wish) throw HostMoved();
  };
}

}  // namespace ingot::coordinator::host
