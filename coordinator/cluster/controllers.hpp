// The controller of Metal3Clusters as one thing to start, with what it reads.
#pragma once

#include "coordinator/caches/caches.hpp"
#include "coordinator/cluster/reconciler.hpp"
#include "kube/runtime/manager.hpp"

namespace ingot::coordinator::cluster {

struct ControllersWorld {
  kube::Client& client;
  base::Metrics& page;
  Caches& caches;
  std::string watchFilter = {};  // label cluster.x-k8s.io/watch-filter of the Metal3Clusters to look at; "": all
  kube::Tuning tuning = {};
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, ControllersWorld world);

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  [[nodiscard]] std::vector<kube::ObjectKey> leavingWith(const Machine& machine) const;

  base::Runtime runtime_;
  Caches& caches_;
  kube::Index<Machine> machinesOf_;             // by Cluster
  kube::Index<Metal3Cluster> metalClustersOf_;  // by Cluster
  UnseenClusters unseenClusters_;
  kube::EventRecorder events_;
  ClusterReconciler reconciler_;
  kube::Controller controller_;
};

}  // namespace ingot::coordinator::cluster
