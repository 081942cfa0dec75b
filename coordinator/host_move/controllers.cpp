#include "coordinator/host_move/controllers.hpp"

#include "base/cut_text.hpp"
#include "kube/core/error.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host_move {
namespace {

constexpr base::Backoff kBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};
constexpr base::Duration kLookAgain = std::chrono::seconds(30);
constexpr base::Duration kBetweenInstallations = std::chrono::minutes(10);  // until Cluster API is seen that came later
constexpr std::size_t kAtOnce = 8;
constexpr std::size_t kLongestMoveError = 512;

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

MoveReconciler::MoveReconciler(base::Runtime runtime, World world, api::Carrying carrying)
    : caches_(world.caches),
      namespaces_(world.namespaces),
      carrying_(std::move(carrying)),
      hosts_(world.client, caches_.hosts, caches_.secrets),
      waiting_(std::move(runtime), world.events) {}

base::Task<kube::Next> MoveReconciler::reconcile(kube::ObjectKey key) {
  const auto host = caches_.hosts.find(key);
  if (!host) {
    waiting_.forget(key);
    toWake_.erase(key);
    co_return kube::Next::onChange();
  }
  if (!areClustersKnown()) co_return kube::Next::after(kLookAgain);
  noteWhoWakes(*host);
  std::optional<kube::Error> failure;
  try {
    if (co_await write(key, host)) co_return kube::Next::onChange();  // as that brings it back
  } catch (const kube::Error& error) {
    failure = error;
  }
  const auto clusters = clustersOf(*host);
  std::string why = whyItWaits(*host, clusters, carrying_);
  if (failure && !why.empty()) why += fmt::format(": {}", base::cutText(failure->what(), kLongestMoveError));
  const auto toTell = waiting_.look(*host, why);
  if (failure) throw kube::Error(*failure);
  if (clusters == Clusters::unknownKind) co_return kube::Next::after(kBetweenInstallations);
  co_return toTell ? kube::Next::after(*toTell) : kube::Next::onChange();
}

// Two writes, in this order: whoever moves the host looks for the block alone. False: there was nothing to write.
base::Task<bool> MoveReconciler::write(kube::ObjectKey key, kube::Cache<BareMetalHost>::Snapshot host) {
  const machine::HostWork::Edit guarded = [this](BareMetalHost& each) { guard(each, clustersOf(each), carrying_); };
  const machine::HostWork::Edit allowed = [this](BareMetalHost& each) { allowMove(each, clustersOf(each), carrying_); };
  // The copy of the status that goes with a pause must be of the host as it is now; a block alone needs no look.
  const bool isPausing = isLeaving(*host, clustersOf(*host));
  const bool isChanged = changes(*host, guarded);
  const bool isAllowing = isPausing && (isChanged || changes(*host, allowed));
  if (isChanged) static_cast<void>(co_await hosts_.edit(key, guarded, isPausing));
  if (isAllowing) static_cast<void>(co_await hosts_.edit(key, allowed, true));
  co_return isChanged || isAllowing;
}

// One that cannot be read may be at work.
Clusters MoveReconciler::clustersOf(const BareMetalHost& host) const {
  if (isClusterApiMissing()) return Clusters::unknownKind;
  const auto& namespace_ = host.metadata.namespace_;
  const auto now = caches_.clusters.anyUnreadableIn(namespace_) ? Clusters::working : namespaces_.of(namespace_);
  return now == Clusters::none && isToWake(host) ? Clusters::working : now;
}

void MoveReconciler::noteWhoWakes(const BareMetalHost& host) {
  const auto clusters = clustersOf(host);
  if (!isPausedByUs(host) || clusters == Clusters::paused)
    toWake_.erase(host.metadata.key());
  else if (clusters == Clusters::working)
    toWake_[host.metadata.key()] = host.metadata.uid;
}

bool MoveReconciler::isToWake(const BareMetalHost& host) const {
  const auto found = toWake_.find(host.metadata.key());
  return found != toWake_.end() && found->second == host.metadata.uid;
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
      events_(runtime_, world.client,
              {.component = "ingot-coordinator",
               .reportingComponent = "ingot.dev/coordinator",
               .reportingInstance = "ingot-coordinator"}),
      reconciler_(runtime_, {world.client, caches_, namespaces_, events_}, std::move(world.carrying)),
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
  return {{.name = "hostmove", .caches = {&caches_.hosts, &caches_.clusters}, .recorders = {&events_}, .run = [this] {
             return controller_.run();
           }}};
}

}  // namespace ingot::coordinator::host_move
