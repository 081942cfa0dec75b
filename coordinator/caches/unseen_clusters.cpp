#include "coordinator/caches/unseen_clusters.hpp"

namespace ingot::coordinator {

base::Task<bool> UnseenClusters::isPaused(std::optional<kube::ObjectKey> cluster) {
  if (!cluster || clusters_.find(*cluster)) co_return false;  // the pause of one that is shown is known
  const auto unseen = co_await find(std::move(*cluster));
  co_return unseen && unseen->paused();
}

base::Task<std::optional<api::capi::Cluster>> UnseenClusters::find(kube::ObjectKey cluster) {
  return unseen_.find(std::move(cluster));
}

}  // namespace ingot::coordinator
