#include "coordinator/cluster/reconciler.hpp"

#include "api/capi/watch_filter.hpp"
#include "api/capm3/names.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::cluster {
namespace {

constexpr base::Duration kLookAgain = std::chrono::seconds(30);

}  // namespace

ClusterReconciler::ClusterReconciler(base::Runtime runtime, kube::PassWorld<Metal3Cluster> world, ClusterWorld cluster)
    : ObjectReconciler(std::move(world)), runtime_(std::move(runtime)), cluster_(std::move(cluster)) {}

base::Task<kube::Next> ClusterReconciler::run(kube::Pass<Metal3Cluster>& metal) {
  if (!api::capi::passesWatchFilter(metal->metadata, cluster_.watchFilter)) co_return kube::Next::onChange();
  const auto key = clusterOf(*metal);
  if (key && cluster_.clusters.isUnreadable(*key)) co_return kube::Next::after(kLookAgain);  // it may be paused
  const auto cluster = key ? cluster_.clusters.find(*key) : nullptr;
  const Standing standing = standingOf(*metal, cluster.get());
  if (standing == Standing::external) co_return kube::Next::onChange();
  const bool leaves = metal->metadata.beingDeleted();
  if (leaves && !kube::hasFinalizer(metal->metadata, api::capm3::finalizer::cluster)) co_return kube::Next::onChange();
  // Objects of two kinds may be seen in another order than they were made in.
  const bool maybeSeenLate = standing == Standing::ownerMissing && !leaves;
  if (maybeSeenLate && co_await cluster_.unseenClusters.find(*key)) co_return kube::Next::onChange();
  const auto now = runtime_.clock.wall();
  show(*metal, cluster.get(), now);
  Waits waits = Waits::no;
  if (leaves && standing != Standing::paused) waits = release(metal);
  if (!leaves && standing == Standing::open) kube::addFinalizer(metal->metadata, api::capm3::finalizer::cluster);
  co_await metal.save();
  if (waits == Waits::forUnreadable) co_return kube::Next::after(kLookAgain);  // nobody tells when that ends
  const auto untilTold =
      standing == Standing::ownerless && !leaves ? untilOwnerIsMissed(*metal, now) : base::Duration();
  if (untilTold.count() > 0) co_return kube::Next::after(untilTold);
  co_return kube::Next::onChange();  // its Cluster, a Machine, or the object itself brings it back
}

ClusterReconciler::Waits ClusterReconciler::release(kube::Pass<Metal3Cluster>& metal) {
  const auto cluster = clusterOf(*metal);
  if (cluster && !cluster_.machinesOf.find(*cluster).empty()) {
    tellWait(metal, fmt::format("The deletion waits until the Machines of cluster {} are gone", cluster->name));
    return Waits::forMachines;
  }
  if (cluster && cluster_.machines.anyUnreadableIn(cluster->namespace_)) {
    tellWait(metal, fmt::format("The deletion waits for Machines of namespace {} that cannot be read: they may be of "
                                "cluster {}",
                                cluster->namespace_, cluster->name));
    return Waits::forUnreadable;
  }
  kube::removeFinalizer(metal->metadata, api::capm3::finalizer::cluster);
  return Waits::no;
}

void ClusterReconciler::tellWait(kube::Pass<Metal3Cluster>& metal, std::string message) {
  std::pair<std::string, std::string> wait{metal->metadata.uid, message};
  const auto told = told_.find(metal.key());
  if (told != told_.end() && told->second == wait) return;
  metal.journal().event("WaitingForMachines", std::move(message));
  metal.journal().onceSaved([this, key = metal.key(), wait = std::move(wait)] { told_.insert_or_assign(key, wait); });
}

}  // namespace ingot::coordinator::cluster
