#include "coordinator/host_move/controllers.hpp"

namespace ingot::coordinator::host_move {
namespace {

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};
constexpr base::Duration kLookAgain = std::chrono::seconds(30);
constexpr base::Duration kBetweenInstallations = std::chrono::minutes(10);  // until Cluster API is seen that came later
constexpr std::size_t kAtOnce = 8;

bool mattersToMove(const BareMetalHost& before, const BareMetalHost& after) {
  return before.metadata.annotations != after.metadata.annotations || before.metadata.labels != after.metadata.labels ||
         before.spec.consumerRef != after.spec.consumerRef ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp ||
         before.status.provisioning.state != after.status.provisioning.state;
}

bool changes(const BareMetalHost& host, const machine::HostWork::Edit& how) {
  BareMetalHost edited = host;
  how(edited);
  return edited.metadata.annotations != host.metadata.annotations || edited.metadata.labels != host.metadata.labels;
}

}  // namespace

MoveReconciler::MoveReconciler(kube::Client& client, Caches& caches, const Namespaces& namespaces,
                               api::Carrying carrying)
    : caches_(caches),
      namespaces_(namespaces),
      carrying_(std::move(carrying)),
      hosts_(client, caches.hosts, caches.secrets) {}

// Two writes, in this order: whoever moves the host looks for the block alone.
base::Task<kube::Next> MoveReconciler::reconcile(kube::ObjectKey key) {
  const machine::HostWork::Edit guarded = [this](BareMetalHost& host) { guard(host, clustersOf(host), carrying_); };
  const machine::HostWork::Edit allowed = [this](BareMetalHost& host) { allowMove(host, clustersOf(host), carrying_); };
  const auto host = caches_.hosts.find(key);
  if (!host) co_return kube::Next::onChange();
  if (!areClustersKnown()) co_return kube::Next::after(kLookAgain);
  // The copy of the status that goes with a pause must be of the host as it is now; a block alone needs no look.
  const auto clusters = clustersOf(*host);
  const bool isPausing = isLeaving(*host, clusters);
  const bool isChanged = changes(*host, guarded);
  if (isChanged) static_cast<void>(co_await hosts_.edit(key, guarded, isPausing));
  if (isPausing && (isChanged || changes(*host, allowed))) static_cast<void>(co_await hosts_.edit(key, allowed, true));
  co_return clusters == Clusters::unknownKind ? kube::Next::after(kBetweenInstallations) : kube::Next::onChange();
}

// One that cannot be read may be at work.
Clusters MoveReconciler::clustersOf(const BareMetalHost& host) const {
  if (isClusterApiMissing()) return Clusters::unknownKind;
  const auto& namespace_ = host.metadata.namespace_;
  return caches_.clusters.anyUnreadableIn(namespace_) ? Clusters::working : namespaces_.of(namespace_);
}

bool MoveReconciler::isClusterApiMissing() const {
  const auto unserved = caches_.clusters.unserved();
  return unserved && unserved->why == kube::Unserved::Why::notInstalled;
}

// While the API serves them in other versions only, or no more, it is not known whether a namespace has any.
bool MoveReconciler::areClustersKnown() const { return isClusterApiMissing() || !caches_.clusters.unserved(); }

Controllers::Controllers(base::Runtime runtime, ControllersWorld world)
    : runtime_(runtime.named("move")),
      caches_(world.caches),
      namespaces_(caches_.clusters,
                  [this](const std::string& namespace_) {
                    for (const auto& key : caches_.hosts.keys())
                      if (key.namespace_ == namespace_) controller_.queue().add(key);
                  }),
      reconciler_(world.client, caches_, namespaces_, std::move(world.carrying)),
      controller_(
          runtime_,
          {.name = "hostmove", .concurrency = kAtOnce, .backoff = kBackoff, .metrics = &world.page, .syncPeriod = {}},
          reconciler_) {
  controller_.watchMain<BareMetalHost>(caches_.hosts, mattersToMove);
  // `namespaces_` wakes hosts; but nothing is decided before Clusters are known.
  controller_.watch<api::capi::Cluster>(caches_.clusters,
                                        [](const api::capi::Cluster&) { return std::vector<kube::ObjectKey>{}; });
}

std::vector<kube::Managed> Controllers::managed() {
  return {{.name = "hostmove", .caches = {&caches_.hosts, &caches_.clusters}, .recorders = {}, .run = [this] {
             return controller_.run();
           }}};
}

}  // namespace ingot::coordinator::host_move
