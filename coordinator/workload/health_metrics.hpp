// How one workload cluster is doing, for Prometheus, under the names of Cluster API's own ClusterCache.
#pragma once

#include "base/metrics.hpp"
#include "kube/core/object_key.hpp"

namespace ingot::coordinator::workload {

class HealthMetrics {
 public:
  // `page` outlives this; nullptr: nobody reads them.
  HealthMetrics(base::Metrics* page, const kube::ObjectKey& cluster);

  void connected(bool isConnected);
  void probed(bool hasAnswered);
  // Its Cluster is gone: nothing is shown from now on.
  void forget();

 private:
  base::Metrics* page_;
  base::Labels labels_;
};

}  // namespace ingot::coordinator::workload
