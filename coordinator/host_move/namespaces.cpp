#include "coordinator/host_move/namespaces.hpp"

namespace ingot::coordinator::host_move {

Namespaces::Namespaces(kube::Cache<api::capi::Cluster>& clusters, Changed changed)
    : changed_(std::move(changed)),
      subscription_(clusters.listen([this](const kube::Cache<api::capi::Cluster>::Change& change) {
        const Clusters before = of(change.key.namespace_);
        if (change.before) add(*change.before, -1);
        if (change.after) add(*change.after, +1);
        if (of(change.key.namespace_) != before) changed_(change.key.namespace_);
      })) {}

Clusters Namespaces::of(const std::string& namespace_) const {
  const auto found = counts_.find(namespace_);
  return found == counts_.end() ? Clusters::none : read(found->second);
}

Clusters Namespaces::read(const Count& count) {
  if (count.working > 0) return Clusters::working;
  return count.paused > 0 ? Clusters::paused : Clusters::none;
}

void Namespaces::add(const api::capi::Cluster& cluster, int howMany) {
  Count& count = counts_[cluster.metadata.namespace_];
  (cluster.paused() ? count.paused : count.working) += static_cast<std::size_t>(howMany);
  if (count.working == 0 && count.paused == 0) counts_.erase(cluster.metadata.namespace_);
}

}  // namespace ingot::coordinator::host_move
