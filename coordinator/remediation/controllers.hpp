// The controller of Metal3Remediations as one thing to start, with what it reads.
#pragma once

#include "coordinator/caches/caches.hpp"
#include "coordinator/remediation/reconciler.hpp"
#include "coordinator/remediation/stray_holds.hpp"
#include "coordinator/workload/cluster_turns.hpp"
#include "coordinator/workload/news_pace.hpp"
#include "kube/runtime/manager.hpp"

namespace ingot::coordinator::remediation {

struct ControllersWorld {
  kube::Client& client;
  base::Metrics& page;
  Caches& caches;
  workload::ClusterCache& nodes;
  std::vector<std::string> namespaces = {};  // empty: all
  kube::Unreadable unreadable = {};
  AgentReadings readings = {};
  std::string watchFilter = {};  // label cluster.x-k8s.io/watch-filter of the Metal3Remediations to look at; "": all
  kube::Tuning tuning = {};
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, ControllersWorld world);

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  using Keys = std::vector<kube::ObjectKey>;
  void watchAll();
  void watchHolds();
  [[nodiscard]] Keys ofCluster(const kube::ObjectKey& cluster) const;
  [[nodiscard]] Keys ofNode(const kube::ObjectKey& cluster, const kube::Node& node) const;
  [[nodiscard]] Keys ofMetalMachine(const Metal3Machine& metal) const;
  [[nodiscard]] Keys ofHost(const BareMetalHost& host) const;

  base::Runtime runtime_;
  Caches& caches_;
  workload::ClusterCache& nodes_;
  UnseenClusters unseenClusters_;
  kube::Cache<Metal3Remediation> remediations_;
  kube::Index<Metal3Remediation> ofMachine_;  // by the Machine that owns them
  kube::Index<Metal3Remediation, std::string> byUid_;
  // Nodes change all the time, a thousand times as often as remediations.
  using NodeOfCluster = std::pair<kube::ObjectKey, std::string>;
  kube::Index<Machine, NodeOfCluster> machineOfNode_;
  kube::Index<BareMetalHost, std::string> heldOff_;  // by the uid of who keeps them off
  machine::HostWork hosts_;
  kube::EventRecorder events_;
  workload::ClusterTurns turns_;
  workload::NewsPace newsPace_;
  RemediationReconciler reconciler_;
  kube::Controller controller_;
  kube::Subscription hostNews_;
  kube::Subscription nodeNews_;
  StrayHolds strays_;
  kube::Controller holds_;
};

}  // namespace ingot::coordinator::remediation
