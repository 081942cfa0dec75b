// The controller of Metal3Machines as one thing to start, with what it reads.
#pragma once

#include "api/bmh/carried_term.hpp"
#include "coordinator/caches/caches.hpp"
#include "coordinator/machine/kept_hosts.hpp"
#include "coordinator/machine/node_news.hpp"
#include "coordinator/machine/reconciler.hpp"
#include "coordinator/workload/cluster_turns.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/manager.hpp"

namespace ingot::coordinator::machine {

struct ControllersWorld {
  kube::Client& client;
  base::Metrics& page;
  Caches& caches;
  workload::ClusterCache& nodes;
  std::string watchFilter = {};  // label cluster.x-k8s.io/watch-filter of the Metal3Machines to look at; "": all
  bool fastTrack = false;        // CAPM3_FAST_TRACK
  api::Carrying carrying = {};
  kube::Tuning tuning = {};
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, ControllersWorld world);

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  using Keys = std::vector<kube::ObjectKey>;
  void watchAll();
  void wakeForHosts();
  void watchKeptHosts();
  void wake(const kube::ObjectKey& machine);
  [[nodiscard]] Keys ofCluster(const kube::ObjectKey& cluster) const;
  // The machines whose hosts' BMCs it has the credentials of.
  [[nodiscard]] Keys ofCredentials(const kube::ObjectKey& secret) const;

  base::Runtime runtime_;
  Caches& caches_;
  workload::ClusterCache& nodes_;
  kube::Index<Metal3Machine> ofCluster_;  // by the Cluster that their label names
  kube::Index<Machine> machinesOf_;       // by Cluster
  kube::Index<Machine> byInfrastructure_;
  kube::Index<BareMetalHost> byCredentials_;  // those that machines have, by the Secret of their BMC
  kube::Index<BareMetalHost> keptFor_;        // by namespace and node-reuse label
  HostPool pool_;
  ReuseOwners reuseOwners_;
  workload::ClusterTurns turns_;
  HostWork hosts_;
  Waiting waiting_;
  kube::EventRecorder events_;
  MachineReconciler reconciler_;
  kube::Controller controller_;
  NodeNews nodeNews_;
  KeptHosts keptHosts_;
  kube::Controller kept_;
  std::vector<kube::Subscription> subscriptions_;
};

}  // namespace ingot::coordinator::machine
