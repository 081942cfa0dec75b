#include "coordinator/ipam/pool_reconciler.hpp"

#include "api/ipam/names.hpp"
#include "coordinator/caches/publication_pace.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::ipam {
namespace {

using api::ipam::IPPool;

std::string partlyShown(const Publication& shown) {
  return fmt::format(
      "status.indexes shows {} of {} claims: more would not fit into the object. The IPAddress objects "
      "are complete",
      shown.indexes.size(), shown.indexes.size() + shown.leftOut);
}

// etcd says so with a 500.
bool isTooLarge(const kube::Error& error) {
  return error.code() == kube::Error::Code::tooLarge || std::string_view(error.what()).contains("too large");
}

}  // namespace

bool mattersToClaims(const IPPool& before, const IPPool& after) {
  return before.metadata.uid != after.metadata.uid || before.metadata.generation != after.metadata.generation ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp ||
         before.metadata.finalizers != after.metadata.finalizers ||
         before.metadata.annotations != after.metadata.annotations || before.metadata.labels != after.metadata.labels ||
         before.metadata.ownerReferences != after.metadata.ownerReferences;
}

bool mattersToPool(const IPPool& before, const IPPool& after) {
  return mattersToClaims(before, after) ||
         before.status.indexes != after.status.indexes;  // somebody else's: what we wrote is looked at once more
}

PoolReconciler::PoolReconciler(base::Runtime runtime, kube::PassWorld<IPPool> world, Pools& pools, AddressBooks& books,
                               Overlaps& overlaps)
    : ObjectReconciler(std::move(world)),
      runtime_(std::move(runtime)),
      pools_(pools),
      books_(books),
      overlaps_(overlaps),
      errors_(runtime_.clock, this->world().events) {}

base::Task<kube::Next> PoolReconciler::run(kube::Pass<IPPool>& pool) {
  co_return co_await errors_.watch(pool, act(pool));
}

base::Task<kube::Next> PoolReconciler::act(kube::Pass<IPPool>& pool) {
  const auto cluster = pools_.clusterFor(*pool);
  const Gate gate = gateOf(*pool, cluster.get());
  if (api::capi::isPaused(pool->metadata)) co_return kube::Next::onChange();
  joinCluster(*pool, cluster.get());  // also while that rests: it is moved with what belongs to it
  if (gate != Gate::open) {
    if (gate == Gate::waitsForCluster) tellWaiting(pool);
    co_await pool.save();
    co_return kube::Next::onChange();  // its Cluster or its annotation brings it back
  }
  kube::addFinalizer(pool->metadata, api::ipam::finalizer::pool);
  if (!pool->metadata.beingDeleted()) tellOverlaps(pool);
  const auto wait = publish(pool);
  if (pool->metadata.beingDeleted() && books_.of(pool.draft().before()).inUse() == 0) {
    kube::removeFinalizer(pool->metadata, api::ipam::finalizer::pool);
  }
  try {
    co_await pool.save();
  } catch (const kube::Error& error) {
    if (isTooLarge(error)) showLess(*pool);
    throw;
  }
  if (wait) co_return kube::Next::after(*wait);
  // Addresses bring it back, but for those that were granted and never made, or that cannot be read.
  co_return pool->metadata.beingDeleted() ? kube::Next::after(kLookAgain) : kube::Next::onChange();
}

void PoolReconciler::tellWaiting(kube::Pass<IPPool>& pool) {
  const std::string& uid = pool.draft().before().metadata.uid;
  const auto told = waiting_.find(pool.key());
  if (told != waiting_.end() && told->second == uid) return;
  pool.journal().event("WaitingForCluster",
                       fmt::format("There is no Cluster {}: no address is given before", clusterOf(*pool)->name));
  pool.journal().onceSaved([this, key = pool.key(), uid] { waiting_.insert_or_assign(key, uid); });
}

void PoolReconciler::tellOverlaps(kube::Pass<IPPool>& pool) {
  const IPPool& seen = pool.draft().before();
  if (overlaps_.isTold(seen.metadata)) return;
  if (std::string text = overlaps_.textOf(seen); !text.empty()) pool.journal().warning("PoolsOverlap", std::move(text));
  pool.journal().onceSaved([this, metadata = seen.metadata] { overlaps_.noteTold(metadata); });
}

void PoolReconciler::gone(const kube::ObjectKey& key) {
  books_.forget(key);
  overlaps_.forget(key);
  published_.erase(key);
  room_.erase(key);
  waiting_.erase(key);
  errors_.over(key);
}

base::Duration PoolReconciler::untilPublication(const kube::ObjectKey& pool) const {
  const auto last = published_.find(pool);
  if (last == published_.end()) return {};
  return std::max(base::Duration{}, last->second.at + betweenPublications(last->second.entries) - runtime_.clock.now());
}

Publication PoolReconciler::shownOf(const IPPool& pool) {
  const auto taken = room_.find(pool.metadata.key());
  const std::size_t room = roomForIndexes(pool);
  return publicationOf(books_.of(pool).indexes(), taken == room_.end() ? room : std::min(room, taken->second));
}

void PoolReconciler::showLess(const IPPool& pool) {
  const Publication refused = shownOf(pool);
  if (refused.indexes.empty()) return;  // that is not what makes it too large
  room_.insert_or_assign(pool.metadata.key(), refused.bytes / 2);
  world().events.warning(kube::referenceTo(pool), "AddressesNotShown", partlyShown(shownOf(pool)));
}

std::optional<base::Duration> PoolReconciler::publish(kube::Pass<IPPool>& pool) {
  const AddressBooks::Version version = books_.versionOf(pool.draft().before());
  const auto last = published_.find(pool.key());
  const bool isKnown = last != published_.end() && last->second.version == version;
  const base::Duration wait = untilPublication(pool.key());
  if (wait > base::Duration{}) return wait;  // before the cost of a look at all addresses
  Publication shown = shownOf(pool.draft().before());
  if (isKnown && shown.indexes == pool->status.indexes) {
    last->second.at = runtime_.clock.now();  // that look cost as much
    return std::nullopt;
  }
  auto& status = pool->status;
  if (!status.lastUpdated) status.lastUpdated = pool->metadata.creationTimestamp;
  const bool whole = shown.leftOut == 0;
  const bool wasWhole = last == published_.end() || last->second.whole;
  if (!whole && wasWhole) pool.journal().warning("AddressesNotShown", partlyShown(shown));
  if (shown.indexes != status.indexes) {
    status.indexes = std::move(shown.indexes);
    status.lastUpdated = std::chrono::floor<std::chrono::seconds>(runtime_.clock.wall());
  }
  const Published published{version, runtime_.clock.now(), status.indexes.size(), whole};
  pool.journal().onceSaved([this, key = pool.key(), published] { published_.insert_or_assign(key, published); });
  return std::nullopt;
}

}  // namespace ingot::coordinator::ipam
