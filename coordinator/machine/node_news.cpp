#include "coordinator/machine/node_news.hpp"

namespace ingot::coordinator::machine {

NodeNews::NodeNews(base::Runtime runtime, base::Metrics& page, const Waiting& waiting, Wake wake)
    : waiting_(waiting),
      wake_(std::move(wake)),
      paceOfMachines_(runtime.clock),
      paceOfClusters_(runtime.clock),
      clusters_(std::move(runtime), {.name = "metal3machine-nodes", .concurrency = 1, .metrics = &page}, *this) {}

void NodeNews::note(const kube::ObjectKey& cluster, const kube::Node* node) {
  const auto named = node ? waiting_.namedBy(cluster, *node) : std::nullopt;
  if (named && named->machine) wake_(*named->machine, paceOfMachines_.take(*named->machine));
  if (named || !waiting_.anyOf(cluster)) return;
  clusters_.queue().add(cluster, kube::Priority::change, paceOfClusters_.take(cluster));
}

base::Task<kube::Next> NodeNews::reconcile(kube::ObjectKey cluster) {
  for (const auto& machine : waiting_.of(cluster)) wake_(machine, {});
  co_return kube::Next::onChange();
}

}  // namespace ingot::coordinator::machine
