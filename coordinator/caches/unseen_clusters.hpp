// Clusters that no watch has shown yet: objects of two kinds may be seen in another order than they were made in.
#pragma once

#include "api/capi/cluster.hpp"
#include "kube/client/client.hpp"
#include "kube/runtime/cache.hpp"

#include <map>
#include <optional>

namespace ingot::coordinator {

class UnseenClusters {
 public:
  // All outlive this.
  UnseenClusters(base::Clock& clock, kube::Client& client, kube::Cache<api::capi::Cluster>& clusters)
      : clock_(clock), client_(client), clusters_(clusters) {}

  // One that the cache does not show, as the API has it. That one is not there, or that there are none at all, is
  // remembered for half a minute: objects may name a Cluster that never comes.
  [[nodiscard]] base::Task<std::optional<api::capi::Cluster>> find(kube::ObjectKey cluster);

  // Whether the Cluster is there and paused although the cache does not show it: asked before the first write that
  // depends on it. nullopt: of none.
  [[nodiscard]] base::Task<bool> isPaused(std::optional<kube::ObjectKey> cluster);

 private:
  base::Clock& clock_;
  kube::Client& client_;
  kube::Cache<api::capi::Cluster>& clusters_;
  std::map<kube::ObjectKey, base::MonoTime> absent_;  // since when
  base::MonoTime clearedAt_{};                        // of what is too old
};

}  // namespace ingot::coordinator
