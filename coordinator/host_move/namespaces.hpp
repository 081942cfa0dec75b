// Whether the Clusters of each namespace work or are paused.
#pragma once

#include "api/capi/cluster.hpp"
#include "coordinator/host_move/decision.hpp"
#include "kube/runtime/cache.hpp"

#include <functional>
#include <map>
#include <string>

namespace ingot::coordinator::host_move {

class Namespaces {
 public:
  using Changed = std::function<void(const std::string& namespace_)>;

  // `changed` is told when one becomes another, not of each Cluster. The cache outlives it.
  Namespaces(kube::Cache<api::capi::Cluster>& clusters, Changed changed);

  [[nodiscard]] Clusters of(const std::string& namespace_) const;

 private:
  struct Count {
    std::size_t working = 0, paused = 0;
  };
  static Clusters read(const Count& count);
  void add(const api::capi::Cluster& cluster, int howMany);

  std::map<std::string, Count> counts_;
  Changed changed_;
  kube::Subscription subscription_;
};

}  // namespace ingot::coordinator::host_move
