// Labels of hosts on Nodes as one thing to start, with what it reads.
#pragma once

#include "coordinator/label_sync/reconciler.hpp"
#include "coordinator/workload/cluster_turns.hpp"
#include "coordinator/workload/news_pace.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/manager.hpp"

namespace ingot::coordinator::label_sync {

struct ControllersWorld {
  kube::Client& client;
  base::Metrics& page;
  Caches& caches;
  workload::ClusterCache& nodes;
  std::string watchFilter = {};  // label cluster.x-k8s.io/watch-filter of the Metal3Clusters to look at; "": all
  kube::Tuning tuning = {};
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, ControllersWorld world);

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  using Machine = api::capi::Machine;
  using Keys = std::vector<kube::ObjectKey>;
  struct NodeKey {  // a Node of a workload cluster
    kube::ObjectKey cluster;
    std::string node;
    auto operator<=>(const NodeKey&) const = default;
  };

  void watchAll();
  [[nodiscard]] Keys hostsOf(const Machine& machine) const;
  [[nodiscard]] Keys hostsOf(const std::set<kube::ObjectKey>& machines) const;

  base::Runtime runtime_;
  Caches& caches_;
  workload::ClusterCache& nodes_;
  workload::NewsPace newsPace_;
  kube::Index<Machine> ofCluster_;
  kube::Index<Machine, NodeKey> ofNode_;
  workload::ClusterTurns turns_;
  kube::EventRecorder events_;
  LabelReconciler reconciler_;
  kube::Controller controller_;
  std::vector<kube::Subscription> subscriptions_;
};

}  // namespace ingot::coordinator::label_sync
