// Clusters that no watch has shown yet.
#pragma once

#include "api/capi/cluster.hpp"
#include "coordinator/caches/unseen.hpp"
#include "kube/runtime/cache.hpp"

#include <optional>

namespace ingot::coordinator {

class UnseenClusters {
 public:
  // All outlive this.
  UnseenClusters(base::Clock& clock, kube::Client& client, kube::Cache<api::capi::Cluster>& clusters)
      : unseen_(clock, client), clusters_(clusters) {}

  // As Unseen::find().
  [[nodiscard]] base::Task<std::optional<api::capi::Cluster>> find(kube::ObjectKey cluster);

  // Whether the Cluster is there and paused although the cache does not show it: asked before the first write that
  // depends on it. nullopt: of none.
  [[nodiscard]] base::Task<bool> isPaused(std::optional<kube::ObjectKey> cluster);

 private:
  Unseen<api::capi::Cluster> unseen_;
  kube::Cache<api::capi::Cluster>& clusters_;
};

}  // namespace ingot::coordinator
