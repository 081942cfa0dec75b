#include "apiserver/registry/garbage_collector.hpp"

#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/worker_pool.hpp"

namespace ingot::apiserver {
namespace {

constexpr base::Duration retryDelay = std::chrono::milliseconds(500);

// Throws when another object has taken the name meanwhile: that one is left alone.
void requireUid(const json::Object& metadata, const std::string& uid) {
  if (textIn(metadata, "uid") != uid) throw badRequest("the object was replaced");
}

}  // namespace

GarbageCollector::GarbageCollector(base::Runtime runtime, Store& store, const Kinds& kinds, Writer& writer,
                                   Remover& remover, base::TaskGroup& group)
    : runtime_(std::move(runtime)),
      store_(store),
      kinds_(kinds),
      writer_(writer),
      remover_(remover),
      group_(group),
      wake_(runtime_.executor) {}

void GarbageCollector::begin() {
  begun_ = true;
  for (const auto& resource : store_.kinds()) {
    for (const auto& [key, object] : store_.objects(resource)) {
      dependents_.change(resource, nullptr, object);
      if (!object->owners.empty() || object->deleting) enqueue({resource, key});
    }
  }
}

void GarbageCollector::observe(const std::string& resource, const Event& event) {
  if (!begun_) return;
  const auto& [revision, previous, next, last] = event;
  const bool linksChanged = !previous || !next || previous->owners != next->owners;
  if (linksChanged) dependents_.change(resource, previous, next);
  if (next && ((linksChanged && !next->owners.empty()) || next->deleting)) enqueue({resource, next->key});
  if (!previous || !linksChanged) return;
  for (const auto& link : previous->owners) enqueueOwner(*previous, link);
  if (next) return;
  for (const auto& slot : dependents_.of(previous->uid)) enqueue(slot);
}

void GarbageCollector::kindsChanged() {
  if (!begun_) return;
  for (const auto& slot : dependents_.all()) enqueue(slot);
}

void GarbageCollector::enqueue(const Slot& slot) {
  if (queue_.insert(slot).second) wake_.notifyAll();
}

// An owner that waits in foreground may go on when a dependent went or let go of it.
void GarbageCollector::enqueueOwner(const Object& dependent, const OwnerLink& link) {
  const auto slot = ownerSlot(kinds_, dependent.key, link);
  const auto owner = slot ? store_.find(slot->resource, slot->key) : nullptr;
  if (owner && owner->deleting) enqueue(*slot);
}

base::Task<void> GarbageCollector::run() {
  while (true) {
    while (queue_.empty()) co_await wake_.wait();
    std::vector<Job> jobs;
    for (const auto& slot : std::exchange(queue_, {})) {
      jobs.push_back([this, slot] { return attempt(slot); });
    }
    co_await runAll(group_, runtime_.executor, std::move(jobs));
  }
}

base::Task<void> GarbageCollector::attempt(Slot slot) {
  const auto object = store_.find(slot.resource, slot.key);
  if (!object) co_return;
  std::string problem;
  try {
    if (object->deleting) {
      co_await finishDeletion(slot, object);
    } else {
      co_await judge(slot, object);
    }
    co_return;
  } catch (const ApiError& e) {
    if (e.code() == 404 || e.code() == 400) co_return;  // gone or replaced: its own change was noticed already
    problem = e.what();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& e) {  // an object that nobody can read must not end the collection of the others
    problem = e.what();
  }
  runtime_.log.warn("garbage collection will be retried",
                    {{"resource", slot.resource}, {"name", slot.key.name}, {"reason", problem}});
  group_.spawn("retry of garbage collection", retryLater(std::move(slot)));
}

base::Task<void> GarbageCollector::retryLater(Slot slot) {
  co_await runtime_.clock.sleepFor(retryDelay);
  enqueue(slot);
}

base::Task<void> GarbageCollector::judge(Slot slot, ObjectPtr object) {
  const auto verdict = judgeOwners(kinds_, store_, *object);
  if (verdict.gone.empty() && verdict.waiting.empty()) co_return;
  const auto kind = kinds_.findStored(slot.resource);
  if (!kind) co_return;
  if (verdict.collectable()) {
    if (!verdict.gone.empty()) co_await warnOfForeignOwner(slot, object);
    // When the owner waits in foreground, the dependents of this object must hold it in turn.
    const bool deeper = !verdict.waiting.empty() && !dependents_.of(object->uid).empty();
    (void)co_await remover_.removeQuietly(kind, slot.key, object->uid,
                                          deeper ? Propagation::foreground : Propagation::background);
    co_return;
  }
  auto loose = verdict.gone;
  loose.insert(loose.end(), verdict.waiting.begin(), verdict.waiting.end());
  co_await dropReferences(slot, object->uid, std::move(loose));
}

base::Task<void> GarbageCollector::finishDeletion(Slot slot, ObjectPtr object) {
  const auto dependents = dependents_.of(object->uid);
  if (hasFinalizer(*object, "orphan")) {
    std::vector<Job> jobs;
    for (const auto& dependent : dependents) {
      const auto child = store_.find(dependent.resource, dependent.key);
      if (!child) continue;
      jobs.push_back([this, dependent, childUid = child->uid, uid = object->uid] {
        return dropReferences(dependent, childUid, {uid});
      });
    }
    co_await runAll(group_, runtime_.executor, std::move(jobs));
    if (dependents_.of(object->uid).empty()) {
      co_await dropFinalizer(slot, object->uid, "orphan");
    } else {
      group_.spawn("retry of orphaning", retryLater(std::move(slot)));
    }
    co_return;
  }
  if (!hasFinalizer(*object, "foregroundDeletion")) co_return;
  bool blocked = false;
  for (const auto& dependent : dependents) {
    const auto child = store_.find(dependent.resource, dependent.key);
    if (!child) continue;
    if (!child->deleting) enqueue(dependent);
    for (const auto& link : child->owners) blocked = blocked || (link.uid == object->uid && link.blocks);
  }
  if (!blocked) co_await dropFinalizer(slot, object->uid, "foregroundDeletion");
}

base::Task<void> GarbageCollector::dropReferences(Slot slot, std::string uid, std::vector<std::string> ownerUids) {
  const auto kind = kinds_.findStored(slot.resource);
  if (!kind) co_return;
  (void)co_await writer_.amend(kind, slot.key, [uid, ownerUids](json::Value& object) {
    auto& metadata = metadataOf(object);
    requireUid(metadata, uid);
    auto* list = metadata.if_contains("ownerReferences");
    if (!list || !list->is_array()) return;
    json::Array kept(list->storage());
    for (const auto& item : list->get_array()) {
      const std::string owner = item.is_object() ? textIn(item.get_object(), "uid") : "";
      if (std::find(ownerUids.begin(), ownerUids.end(), owner) == ownerUids.end()) kept.push_back(item);
    }
    if (kept.empty()) {
      metadata.erase("ownerReferences");
    } else {
      *list = std::move(kept);
    }
  });
}

base::Task<void> GarbageCollector::dropFinalizer(Slot slot, std::string uid, std::string finalizer) {
  const auto kind = kinds_.findStored(slot.resource);
  if (!kind) co_return;
  (void)co_await writer_.amend(kind, slot.key, [uid, finalizer](json::Value& object) {
    auto& metadata = metadataOf(object);
    requireUid(metadata, uid);
    auto finalizers = finalizersOf(metadata);
    std::erase(finalizers, finalizer);
    setFinalizers(metadata, finalizers);
  });
}

// Warns when an owner of that uid lives in another namespace: the reference does not mean what its author thought.
base::Task<void> GarbageCollector::warnOfForeignOwner(Slot slot, ObjectPtr object) {
  for (const auto& link : object->owners) {
    const auto where = ownerSlot(kinds_, object->key, link);
    if (!where || object->key.space.empty()) continue;
    const auto& candidates = store_.objects(where->resource);
    const bool elsewhere = std::any_of(candidates.begin(), candidates.end(), [&](const auto& entry) {
      return entry.second->uid == link.uid && entry.first.space != object->key.space;
    });
    if (!elsewhere) continue;
    const auto kind = kinds_.findStored(slot.resource);
    const std::string now = base::formatTime(runtime_.clock.wall());
    json::Value event = {
        {"apiVersion", "v1"},
        {"kind", "Event"},
        {"metadata", {{"generateName", object->key.name + "."}, {"namespace", object->key.space}}},
        {"involvedObject",
         {{"apiVersion", kind->info.apiVersion(kind->info.storageVersion)},
          {"kind", kind->info.kind},
          {"namespace", object->key.space},
          {"name", object->key.name},
          {"uid", object->uid}}},
        {"reason", "OwnerRefInvalidNamespace"},
        {"message", fmt::format("ownerRef [{}/{}, namespace: {}, name: {}, uid: {}] does not exist in namespace \"{}\"",
                                link.apiVersion, link.kind, object->key.space, link.name, link.uid, object->key.space)},
        {"type", "Warning"},
        {"source", {{"component", "garbage-collector-controller"}}},
        {"count", 1},
        {"firstTimestamp", now},
        {"lastTimestamp", now}};
    (void)co_await writer_.create({.group = "", .version = "v1", .resource = "events", .space = object->key.space},
                                  std::move(event), {});
  }
}

}  // namespace ingot::apiserver
