// One pass over a Metal3Cluster (spec/capm3.md §7): it is ready as soon as it names the endpoint of the control plane,
// and goes when its Cluster has no Machine any more.
#pragma once

#include "coordinator/caches/unseen_clusters.hpp"
#include "coordinator/cluster/decision.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/pass.hpp"

namespace ingot::coordinator::cluster {

using api::capi::Machine;

struct ClusterWorld {
  kube::Cache<Cluster>& clusters;
  UnseenClusters& unseenClusters;
  kube::Cache<Machine>& machines;
  kube::Index<Machine>& machinesOf;  // by the Cluster that they name
  std::string watchFilter = {};      // api::capi::passesWatchFilter
};

class ClusterReconciler final : public kube::ObjectReconciler<Metal3Cluster> {
 public:
  ClusterReconciler(base::Runtime runtime, kube::PassWorld<Metal3Cluster> world, ClusterWorld cluster);

 private:
  base::Task<kube::Next> run(kube::Pass<Metal3Cluster>& metal) override;
  void gone(const kube::ObjectKey& key) override { told_.erase(key); }

  enum class Waits : std::uint8_t { no, forMachines, forUnreadable };
  // Takes our finalizer away, or tells what the deletion waits for.
  Waits release(kube::Pass<Metal3Cluster>& metal);
  void tellWait(kube::Pass<Metal3Cluster>& metal, std::string message);  // once

  base::Runtime runtime_;
  ClusterWorld cluster_;
  std::map<kube::ObjectKey, std::pair<std::string, std::string>> told_;  // uid, and what its deletion waits for
};

}  // namespace ingot::coordinator::cluster
