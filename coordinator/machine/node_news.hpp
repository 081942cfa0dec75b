// News of workload clusters, for the machines that wait for their Nodes. A Node that names its host is told to the
// machine that has it; any other one may be anybody's, and is told to all that wait in its cluster. How often that
// happens is bounded before they are looked up: a busy cluster costs no more for each machine that waits in it.
#pragma once

#include "coordinator/machine/waiting.hpp"
#include "coordinator/workload/news_pace.hpp"
#include "kube/runtime/controller.hpp"

#include <functional>

namespace ingot::coordinator::machine {

class NodeNews final : kube::Reconciler {
 public:
  // The machine is to look after so long, unless it does so earlier anyway.
  using Wake = std::function<void(const kube::ObjectKey& machine, base::Duration after)>;
  NodeNews(base::Runtime runtime, base::Metrics& page, const Waiting& waiting, Wake wake);

  // As ClusterCache::onChange.
  void note(const kube::ObjectKey& cluster, const kube::Node* node);
  // Tells those that wait in a cluster.
  [[nodiscard]] base::Task<void> run() { return clusters_.run(); }

 private:
  base::Task<kube::Next> reconcile(kube::ObjectKey cluster) override;

  const Waiting& waiting_;
  Wake wake_;
  workload::NewsPace paceOfMachines_, paceOfClusters_;
  kube::Controller clusters_;
};

}  // namespace ingot::coordinator::machine
